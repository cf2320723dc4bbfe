package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Changes an endpoint: reads it, applies a pure function, and writes the result if nothing changed the endpoint in between; otherwise
 * it starts again.
 */
@Component
public class ChangeEndpoint {

    private static final int TRIES_MAX = 10;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final EndpointStore store;

    ChangeEndpoint(EndpointStore store) {
        this.store = store;
    }

    /** The changed endpoint; empty when the tenant has no such endpoint. */
    public Mono<WebhookEndpoint> change(Tenant tenant, UUID id, UnaryOperator<WebhookEndpoint> change) {
        return store.find(tenant, id)
                .flatMap(before -> write(change.apply(before)))
                .retryWhen(Retry.max(TRIES_MAX)
                        .filter(ChangedMeanwhile.class::isInstance)
                        .onRetryExhaustedThrow((retry, signal) ->
                                Problem.unavailable("The endpoint is being changed by other requests", RETRY_AFTER)));
    }

    private Mono<WebhookEndpoint> write(WebhookEndpoint changed) {
        return store.update(changed)
                .flatMap(written -> written ? Mono.just(changed) : Mono.error(new ChangedMeanwhile()));
    }

    /** Another change came first. */
    private static final class ChangedMeanwhile extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private ChangedMeanwhile() {
            super(null, null, false, false);
        }
    }
}
