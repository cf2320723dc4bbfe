package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointKind;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * Registers an endpoint. Only the response to the registration shows its secret. Each endpoint takes one of its tenant's slots, under a
 * unique index, so any number of registrations at once store at most as many endpoints as there are slots.
 */
@Component
class RegisterEndpoint {

    /** The endpoints of a tenant, disabled ones included. */
    private static final int SLOTS = 20;

    private final RegisteredEndpointStore store;
    private final EndpointUrl urlRule;
    private final SecretKeys keys;
    private final Clock clock;

    RegisterEndpoint(RegisteredEndpointStore store, EndpointUrl urlRule, SecretKeys keys, Clock clock) {
        this.store = store;
        this.urlRule = urlRule;
        this.keys = keys;
        this.clock = clock;
    }

    /** A registered endpoint, and its secret in readable form. */
    record Registered(WebhookEndpoint endpoint, SigningSecret secret) {}

    /** Fails with a problem 422 for invalid fields, 409 if the tenant has as many endpoints as it may have. */
    Mono<Registered> register(Tenant tenant, ObjectNode body) {
        EndpointRequest request = EndpointRequest.parse(body, urlRule);
        SigningSecret secret = request.secret() == null ? SigningSecret.random() : request.secret();
        WebhookEndpoint endpoint = endpoint(tenant, request, secret);
        // each further try means that another registration took the slot
        return Mono.defer(() -> store.slots(tenant))
                .flatMap(taken -> store.insert(endpoint, freeSlot(taken)))
                .repeat(SLOTS)
                .filter(Boolean::booleanValue)
                .next()
                .switchIfEmpty(Mono.error(RegisterEndpoint::tooMany))
                .thenReturn(new Registered(endpoint, secret));
    }

    /** A random one, so that registrations at the same time rarely choose the same. */
    private static int freeSlot(Set<Integer> taken) {
        int[] free =
                IntStream.range(0, SLOTS).filter(slot -> !taken.contains(slot)).toArray();
        if (free.length == 0) {
            throw tooMany();
        }
        return free[ThreadLocalRandom.current().nextInt(free.length)];
    }

    private static Problem tooMany() {
        return Problem.of(
                ProblemCode.TOO_MANY_ENDPOINTS, "A merchant has at most " + SLOTS + " webhook endpoints in each mode");
    }

    private WebhookEndpoint endpoint(Tenant tenant, EndpointRequest request, SigningSecret secret) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        UUID id = UuidV7.at(now.toEpochMilli());
        return new WebhookEndpoint(
                id,
                tenant,
                EndpointKind.PUSH,
                request.url(),
                request.events(),
                List.of(new EndpointSecret(keys.encrypt(id, secret), null)),
                headers(id, request),
                request.description(),
                EndpointStatus.enabled(now),
                now,
                1);
    }

    private Map<String, EncryptedText> headers(UUID id, EndpointRequest request) {
        Map<String, EncryptedText> headers = new HashMap<>();
        request.headers()
                .forEach((name, value) ->
                        value.ifPresent(text -> headers.put(name, keys.encryptHeader(id, name, text))));
        return headers;
    }
}
