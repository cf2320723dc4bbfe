package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
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
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Gives an endpoint a new secret, and encrypts its secrets and headers with another key. The previous secret signs as well for 24 hours, so
 * that the receiver can change in its own time.
 */
@Component
public class EndpointSecrets {

    private static final Duration OVERLAP = Duration.ofHours(24);
    /** Each valid secret adds a signature of 48 characters to every webhook. */
    private static final int VALID_MAX = 5;

    private final ChangeEndpoint change;
    private final SecretKeys keys;
    private final Clock clock;

    EndpointSecrets(ChangeEndpoint change, SecretKeys keys, Clock clock) {
        this.change = change;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * The result of a rotation.
     *
     * @param secret the new secret in readable form
     */
    record Rotated(WebhookEndpoint endpoint, SigningSecret secret) {

        /** Until when the previous secret signs; null if the operator has lost the key that decrypts it. */
        @Nullable
        Instant previousValidUntil() {
            return endpoint.secrets().size() > 1 ? endpoint.secrets().get(1).validUntil() : null;
        }
    }

    /** Empty when the tenant has no such endpoint. Fails with a problem 409 after too many rotations within 24 hours. */
    Mono<Rotated> rotate(Tenant tenant, UUID id) {
        SigningSecret secret = SigningSecret.random();
        Instant now = Instant.ofEpochMilli(clock.millis());
        EndpointSecret current = new EndpointSecret(keys.encrypt(id, secret), null);
        return change.change(tenant, id, endpoint -> rotated(endpoint, current, now, this::isReadable))
                .map(endpoint -> new Rotated(endpoint, secret));
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
                Instant validUntil = earlier.validUntil() == null ? now.plus(OVERLAP) : earlier.validUntil();
                secrets.add(new EndpointSecret(earlier.secret(), validUntil));
            }
        }
        if (secrets.size() > VALID_MAX) {
            throw Problem.of(
                    ProblemCode.TOO_MANY_ROTATIONS,
                    "An endpoint has at most " + VALID_MAX
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
}
