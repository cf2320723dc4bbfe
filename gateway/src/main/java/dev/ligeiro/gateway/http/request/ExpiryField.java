package dev.ligeiro.gateway.http.request;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code expires_in}: how long a transaction stays pending, in seconds, from 1 to 31,536,000 (365 days). */
public final class ExpiryField {

    private static final long SECONDS_MAX = Duration.ofDays(365).toSeconds();

    private ExpiryField() {}

    /** Null when the field is absent or null. */
    public static @Nullable Duration optional(Fields fields) {
        Long seconds = fields.optionalInteger("expires_in", 1, SECONDS_MAX);
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }
}
