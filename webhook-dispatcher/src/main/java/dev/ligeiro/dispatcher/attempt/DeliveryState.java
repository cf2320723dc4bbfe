package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a delivery and the time of its next attempt.
 *
 * @param nextAttemptAt set if and only if the status is {@code SCHEDULED}
 */
public record DeliveryState(DeliveryStatus status, @Nullable Instant nextAttemptAt) {

    public static final DeliveryState DELIVERED = new DeliveryState(DeliveryStatus.DELIVERED, null);
    public static final DeliveryState EXHAUSTED = new DeliveryState(DeliveryStatus.EXHAUSTED, null);

    public DeliveryState {
        if ((status == DeliveryStatus.SCHEDULED) != (nextAttemptAt != null)) {
            throw new IllegalArgumentException("nextAttemptAt: " + nextAttemptAt
                    + " (expected: a time exactly when scheduled, not " + status + ")");
        }
    }

    public static DeliveryState scheduled(Instant nextAttemptAt) {
        return new DeliveryState(DeliveryStatus.SCHEDULED, nextAttemptAt);
    }
}
