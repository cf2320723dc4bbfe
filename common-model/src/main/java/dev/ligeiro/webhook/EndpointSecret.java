package dev.ligeiro.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A signing secret of an endpoint.
 *
 * @param validUntil when it stops signing, after a rotation; null for the current secret
 */
public record EndpointSecret(EncryptedText secret, @Nullable Instant validUntil) {

    public boolean isValidAt(Instant now) {
        return validUntil == null || now.isBefore(validUntil);
    }
}
