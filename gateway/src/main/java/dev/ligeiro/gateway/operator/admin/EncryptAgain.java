package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.api.webhook.ChangeEndpoint;
import dev.ligeiro.gateway.api.webhook.EndpointChanges;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore.Row;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Encrypts stored secrets and headers with the key that encrypts now, in steps of the order of the endpoints' ids. Idempotent: an
 * endpoint that is encrypted with this key already is not written.
 */
@Component
class EncryptAgain {

    private static final Logger LOG = LoggerFactory.getLogger(EncryptAgain.class);
    private static final int ENDPOINTS_MAX = 200;
    private static final int CONCURRENCY = 8;

    private final RegisteredEndpointStore store;
    private final ChangeEndpoint change;
    private final SecretKeys keys;

    EncryptAgain(RegisteredEndpointStore store, ChangeEndpoint change, SecretKeys keys) {
        this.store = store;
        this.change = change;
        this.keys = keys;
    }

    /**
     * The result of a step, as the response shows it.
     *
     * @param encrypted the number of endpoints that were written
     * @param unreadable the endpoints with a secret or header that no key decrypts, or a document that cannot be decoded; they stay as
     *     they are
     * @param nextCursor where the next step begins; null after the last one
     */
    record Step(long encrypted, List<UUID> unreadable, @Nullable UUID nextCursor) {}

    Mono<Step> step(@Nullable UUID after) {
        return store.page(after, ENDPOINTS_MAX).collectList().flatMap(page -> Flux.fromIterable(page)
                .flatMap(this::encrypt, CONCURRENCY)
                .collectList()
                .map(outcomes -> step(page, outcomes)));
    }

    /** An endpoint that is encrypted with the current key already, or deleted meanwhile, gives nothing. */
    private Mono<Outcome> encrypt(Row row) {
        WebhookEndpoint endpoint = row.endpoint();
        if (endpoint == null) {
            return Mono.just(new Outcome(row.id(), false));
        }
        return EndpointChanges.isCurrent(endpoint, keys) ? Mono.empty() : encrypt(endpoint);
    }

    private Mono<Outcome> encrypt(WebhookEndpoint endpoint) {
        return change.change(endpoint.tenant(), endpoint.id(), current -> EndpointChanges.encryptedAgain(current, keys))
                .map(written -> new Outcome(endpoint.id(), true))
                .onErrorResume(
                        IllegalArgumentException.class, unreadable -> Mono.just(new Outcome(endpoint.id(), false)));
    }

    private static Step step(List<Row> page, List<Outcome> outcomes) {
        long encrypted = outcomes.stream().filter(Outcome::written).count();
        List<UUID> unreadable = outcomes.stream()
                .filter(outcome -> !outcome.written())
                .map(Outcome::endpointId)
                .sorted()
                .toList();
        LOG.atInfo()
                .addKeyValue("event.action", "webhook_secrets_encrypted_again")
                .addKeyValue("endpoints", page.size())
                .addKeyValue("encrypted", encrypted)
                .addKeyValue("unreadable", unreadable.size())
                .log("Webhook secrets were encrypted with the current key");
        boolean isLast = page.size() < ENDPOINTS_MAX;
        return new Step(
                encrypted, unreadable, isLast ? null : page.get(page.size() - 1).id());
    }

    private record Outcome(UUID endpointId, boolean written) {}
}
