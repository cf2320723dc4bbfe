package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.ApiKey;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.TimeText;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to rotate an API key: {@code {overlap?, expires_at?}}.
 *
 * @param overlap how long the old key works beside the new one, from 0 to 30 days, in the request in seconds; 24 hours by default
 * @param expiresAt the expiry of the new key; null when not given
 */
record RotateRequest(Duration overlap, @Nullable Instant expiresAt) {

    private static final Duration OVERLAP_DEFAULT = Duration.ofHours(24);
    private static final Duration OVERLAP_MAX = Duration.ofDays(30);

    static RotateRequest parse(ObjectNode body, Instant now) {
        Fields fields = new Fields(body);
        Long seconds = fields.optionalInteger("overlap", 0, OVERLAP_MAX.toSeconds());
        Instant expiresAt = InstantField.optionalAfter(fields, "expires_at", now);
        fields.orThrow();
        return new RotateRequest(seconds == null ? OVERLAP_DEFAULT : Duration.ofSeconds(seconds), expiresAt);
    }

    /** When the old key expires: never later than before. */
    Instant oldExpiry(ApiKey old, Instant now) {
        Instant end = now.plus(overlap);
        return old.expiresAt() == null || end.isBefore(old.expiresAt()) ? end : old.expiresAt();
    }

    /** When the new key expires: as given, else after the lifetime that the old key was made for; null for never. */
    @Nullable
    Instant newExpiry(ApiKey old, Instant now) {
        Duration lifetime = old.lifetime();
        if (expiresAt != null || lifetime == null) {
            return expiresAt;
        }
        Instant end = now.plus(lifetime);
        return end.isBefore(TimeText.LATEST) ? end : TimeText.LATEST;
    }
}
