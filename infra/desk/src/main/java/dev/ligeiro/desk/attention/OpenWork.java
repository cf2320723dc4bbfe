package dev.ligeiro.desk.attention;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much of something waits for a person or a process.
 *
 * @param more whether there are more than the counted ones
 * @param oldestSeconds the age of the oldest one; null if there is none
 */
public record OpenWork(long count, boolean more, @Nullable Long oldestSeconds) {

    static OpenWork of(long count, boolean more, @Nullable Instant oldest, Instant now) {
        return new OpenWork(
                count,
                more,
                oldest == null
                        ? null
                        : Math.max(0, Duration.between(oldest, now).toSeconds()));
    }

    public Duration age() {
        return Duration.ofSeconds(oldestSeconds == null ? 0 : oldestSeconds);
    }
}
