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
        List<AttemptJson> attempts) {

    public static DeliveryJson of(StoredDelivery delivery) {
        return of(delivery, delivery.nextAttemptAt());
    }

    static DeliveryJson of(StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        return new DeliveryJson(
                delivery.id().text(),
                delivery.id().eventId().toString(),
                delivery.eventType(),
                isTest ? null : delivery.id().eventId().transactionId().value(),
                delivery.eventAt(),
                delivery.status(),
                nextAttemptAt,
                delivery.attempts().stream().map(AttemptJson::of).toList());
    }

    /** The latest attempt; null before the first one. */
    public @Nullable AttemptJson last() {
        return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
    }

    /** {@code good}, {@code wait} or {@code bad}: how a page shows the status. */
    public String tone() {
        return switch (status) {
            case "delivered" -> "good";
            case "scheduled" -> "wait";
            default -> "bad";
        };
    }

    public record AttemptJson(Instant at, String outcome, @Nullable Integer statusCode, long durationMs) {

        static AttemptJson of(StoredAttempt attempt) {
            return new AttemptJson(
                    attempt.at(),
                    attempt.outcome(),
                    attempt.statusCode(),
                    attempt.duration().toMillis());
        }

        public boolean succeeded() {
            return outcome.equals("delivered");
        }
    }
}
