package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Registers, changes and deletes endpoints, and rotates their secrets. Each endpoint takes one of its tenant's slots, under a unique index,
 * so any number of registrations at once store at most as many endpoints as there are slots.
 *
 * <p>A change that concerns outstanding deliveries tells a dispatcher at once: it cancels those of an endpoint that is disabled or deleted,
 * and attempts those of one with a new URL there. After a crash between the two writes the merchant repeats the request.
 */
@Component
class ChangeEndpoint {

    /** The endpoints of a tenant, disabled ones included. */
    private static final int SLOTS = 20;

    private static final int TRIES_MAX = 10;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    /** So long the previous secret signs as well: the receiver can change in its own time. */
    private static final Duration SECRETS_OVERLAP = Duration.ofHours(24);

    /** Each valid secret adds a signature of 48 characters to every webhook. */
    private static final int SECRETS_MAX = 5;

    private final RegisteredEndpointStore store;
    private final EndpointUrl urlRule;
    private final SecretKeys keys;
    private final Clock clock;

    ChangeEndpoint(RegisteredEndpointStore store, EndpointUrl urlRule, SecretKeys keys, Clock clock) {
        this.store = store;
        this.urlRule = urlRule;
        this.keys = keys;
        this.clock = clock;
    }

    /** An endpoint and its new secret in readable form, which no later response shows. */
    record WithSecret(WebhookEndpoint endpoint, SigningSecret secret) {}

    /** Fails with a problem 422 for invalid fields, 409 if the tenant has as many endpoints as it may have. */
    Mono<WithSecret> register(Tenant tenant, Fields fields) {
        EndpointRequest request = EndpointRequest.registration(fields, urlRule);
        SigningSecret secret = request.secret() == null ? SigningSecret.random() : request.secret();
        Instant now = Instant.ofEpochMilli(clock.millis());
        WebhookEndpoint endpoint = request.registered(UuidV7.at(now.toEpochMilli()), tenant, secret, keys, now);
        // each further try means that another registration took the slot
        return Mono.defer(() -> store.slots(tenant))
                .flatMap(taken -> store.insert(endpoint, freeSlot(taken)))
                .repeat(SLOTS)
                .filter(Boolean::booleanValue)
                .next()
                .switchIfEmpty(Mono.error(ChangeEndpoint::tooMany))
                .thenReturn(new WithSecret(endpoint, secret));
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

    /**
     * The endpoint with the changes of the request; empty when the tenant has no such endpoint. Fails with a problem 422 for invalid fields.
     * The lane is also marked when the endpoint is already as requested, since the request may be a repeated one.
     */
    Mono<WebhookEndpoint> patch(Tenant tenant, UUID id, Fields fields) {
        EndpointRequest patch = EndpointRequest.change(fields, urlRule);
        Instant now = Instant.ofEpochMilli(clock.millis());
        return change(tenant, id, endpoint -> patch.applyTo(endpoint, keys, now))
                .delayUntil(changed -> patch.concernsDeliveries() ? markLane(tenant, id) : Mono.empty());
    }

    /** An endpoint without outstanding deliveries has no lane, and gets none. */
    private Mono<Void> markLane(Tenant tenant, UUID id) {
        return store.markLane(id, LaneUpdates.dueNow(tenant, clock.instant()), false);
    }

    /** False when the tenant has no such endpoint. */
    Mono<Boolean> delete(Tenant tenant, UUID id) {
        return store.delete(tenant, id).delayUntil(deleted -> deleted ? markLane(tenant, id) : Mono.empty());
    }

    /** Empty when the tenant has no such endpoint. Fails with a problem 409 after too many rotations within 24 hours. */
    Mono<WithSecret> rotate(Tenant tenant, UUID id) {
        SigningSecret secret = SigningSecret.random();
        Instant now = Instant.ofEpochMilli(clock.millis());
        EndpointSecret current = new EndpointSecret(keys.encrypt(id, secret), null);
        return change(tenant, id, endpoint -> rotated(endpoint, current, now, this::isReadable))
                .map(endpoint -> new WithSecret(endpoint, secret));
    }

    /**
     * {@code endpoint} with {@code current} as its first secret. Secrets that are no longer valid or readable are dropped: with an
     * unreadable one no webhook could be signed.
     */
    static WebhookEndpoint rotated(
            WebhookEndpoint endpoint,
            EndpointSecret current,
            Instant now,
            BiPredicate<UUID, EncryptedText> isReadable) {
        List<EndpointSecret> secrets = new ArrayList<>(List.of(current));
        for (EndpointSecret earlier : endpoint.secrets()) {
            if (earlier.isValidAt(now) && isReadable.test(endpoint.id(), earlier.secret())) {
                Instant validUntil = earlier.validUntil() == null ? now.plus(SECRETS_OVERLAP) : earlier.validUntil();
                secrets.add(new EndpointSecret(earlier.secret(), validUntil));
            }
        }
        if (secrets.size() > SECRETS_MAX) {
            throw Problem.of(
                    ProblemCode.TOO_MANY_ROTATIONS,
                    "An endpoint has at most " + SECRETS_MAX
                            + " valid secrets; earlier ones end 24 hours after their rotation");
        }
        return endpoint.with(secrets, endpoint.headers());
    }

    private boolean isReadable(UUID endpointId, EncryptedText secret) {
        try {
            keys.decrypt(endpointId, secret);
            return true;
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    /**
     * The changed endpoint; empty when the tenant has no such endpoint. Reads it, applies a pure function, and writes the result if nothing
     * changed the endpoint in between; otherwise it starts again.
     */
    private Mono<WebhookEndpoint> change(Tenant tenant, UUID id, UnaryOperator<WebhookEndpoint> change) {
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

    private static final class ChangedMeanwhile extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private ChangedMeanwhile() {
            super(null, null, false, false);
        }
    }
}
