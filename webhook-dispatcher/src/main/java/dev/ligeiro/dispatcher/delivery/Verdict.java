package dev.ligeiro.dispatcher.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a delivery becomes.
 *
 * @param nextAttemptAt when it is due again: present exactly when it is scheduled
 */
public record Verdict(DeliveryStatus status, @Nullable Instant nextAttemptAt) {

    public static final Verdict DELIVERED = new Verdict(DeliveryStatus.DELIVERED, null);
    public static final Verdict EXHAUSTED = new Verdict(DeliveryStatus.EXHAUSTED, null);
    public static final Verdict CANCELED = new Verdict(DeliveryStatus.CANCELED, null);

    public Verdict {
        if ((status == DeliveryStatus.SCHEDULED) != (nextAttemptAt != null)) {
            throw new IllegalArgumentException("nextAttemptAt: " + nextAttemptAt
                    + " (expected: a time exactly when scheduled, not " + status + ")");
        }
    }

    public static Verdict scheduled(Instant nextAttemptAt) {
        return new Verdict(DeliveryStatus.SCHEDULED, nextAttemptAt);
    }
}
