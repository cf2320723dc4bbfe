package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Registers an endpoint with a new secret. Only the response to the registration shows the secret. */
@Component
class RegisterEndpoint {

    private static final int ENDPOINTS_MAX = 50;

    private final EndpointStore store;
    private final SecretKeys keys;
    private final Clock clock;

    RegisterEndpoint(EndpointStore store, SecretKeys keys, Clock clock) {
        this.store = store;
        this.keys = keys;
        this.clock = clock;
    }

    /** A registered endpoint, and its secret in readable form. */
    record Registered(WebhookEndpoint endpoint, SigningSecret secret) {}

    Mono<Registered> register(Tenant tenant, EndpointRequest request) {
        SigningSecret secret = SigningSecret.random();
        WebhookEndpoint endpoint = endpoint(tenant, request, secret);
        return store.count(tenant)
                .filter(count -> count < ENDPOINTS_MAX)
                .switchIfEmpty(Mono.error(() -> Problem.of(
                        ProblemCode.TOO_MANY_ENDPOINTS,
                        "A merchant has at most " + ENDPOINTS_MAX + " webhook endpoints in each mode")))
                .then(Mono.defer(() -> store.insert(endpoint)))
                .thenReturn(new Registered(endpoint, secret));
    }

    private WebhookEndpoint endpoint(Tenant tenant, EndpointRequest request, SigningSecret secret) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        UUID id = UuidV7.at(now.toEpochMilli());
        return new WebhookEndpoint(
                id,
                tenant,
                request.url(),
                request.events(),
                List.of(new EndpointSecret(keys.encrypt(id, secret), null)),
                Map.of(),
                request.description(),
                EndpointStatus.enabled(now),
                now,
                1);
    }
}
