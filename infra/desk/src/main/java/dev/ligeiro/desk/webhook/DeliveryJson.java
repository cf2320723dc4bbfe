package dev.ligeiro.desk.webhook;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDelivery.StoredAttempt;
import dev.ligeiro.view.TestEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery with the members that merchants see.
 *
 * @param transactionId null for a test event
 * @param attempts the oldest first
 */
public record DeliveryJson(
        String id,
        String eventId,
        String eventType,
        @Nullable UUID transactionId,
        Instant eventAt,
        String status,
        @Nullable Instant nextAttemptAt,
        List<StoredAttempt> attempts) {

    public static DeliveryJson of(StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        return new DeliveryJson(
                delivery.id().text(),
                delivery.id().eventId().toString(),
                delivery.eventType(),
                isTest ? null : delivery.id().eventId().transactionId().value(),
                delivery.eventAt(),
                delivery.status(),
                nextAttemptAt,
                delivery.attempts());
    }

    /** The latest attempt; null before the first one. */
    public @Nullable StoredAttempt last() {
        return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
    }

    /** {@code good}, {@code wait} or {@code bad}: how a page shows the status. */
    public String tone() {
        return status.equals("delivered") ? "good" : status.equals("scheduled") ? "wait" : "bad";
    }
}
