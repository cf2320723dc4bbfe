package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Registers an endpoint with a new secret. Only the response to the registration shows the secret. */
@Component
class RegisterEndpoint {

    private static final int ENDPOINTS_MAX = 50;
    /** Standard Webhooks: 24 to 64 bytes. */
    private static final int SECRET_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final EndpointStore store;
    private final Clock clock;

    RegisterEndpoint(EndpointStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    Mono<WebhookEndpoint> register(Tenant tenant, EndpointRequest request) {
        WebhookEndpoint endpoint = endpoint(tenant, request);
        return store.count(tenant)
                .filter(count -> count < ENDPOINTS_MAX)
                .switchIfEmpty(Mono.error(() -> Problem.of(
                        ProblemCode.TOO_MANY_ENDPOINTS,
                        "A merchant has at most " + ENDPOINTS_MAX + " webhook endpoints in each mode")))
                .then(Mono.defer(() -> store.insert(endpoint)))
                .thenReturn(endpoint);
    }

    private WebhookEndpoint endpoint(Tenant tenant, EndpointRequest request) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        return new WebhookEndpoint(
                UuidV7.at(now.toEpochMilli()),
                tenant,
                request.url(),
                request.events(),
                secret(),
                request.description(),
                true,
                now);
    }

    private static String secret() {
        byte[] random = new byte[SECRET_BYTES];
        RANDOM.nextBytes(random);
        return "whsec_" + Base64.getEncoder().encodeToString(random);
    }
}
