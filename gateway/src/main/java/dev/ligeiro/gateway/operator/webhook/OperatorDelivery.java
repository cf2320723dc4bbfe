package dev.ligeiro.gateway.operator.webhook;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.view.TestEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery in responses of the admin API, with the members that merchants see.
 *
 * @param transactionId null for a test event
 * @param attempts the oldest first
 */
public record OperatorDelivery(
        String id,
        String eventId,
        String eventType,
        @Nullable UUID transactionId,
        Instant eventAt,
        String status,
        @Nullable Instant nextAttemptAt,
        List<AttemptJson> attempts) {

    public static OperatorDelivery of(StoredDelivery delivery) {
        return of(delivery, delivery.nextAttemptAt());
    }

    static OperatorDelivery of(StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        return new OperatorDelivery(
                delivery.id().text(),
                delivery.id().eventId().toString(),
                delivery.eventType(),
                isTest ? null : delivery.id().eventId().transactionId().value(),
                delivery.eventAt(),
                delivery.status(),
                nextAttemptAt,
                delivery.attempts().stream().map(AttemptJson::of).toList());
    }

    record AttemptJson(Instant at, String outcome, @Nullable Integer statusCode, long durationMs) {

        static AttemptJson of(StoredDelivery.StoredAttempt attempt) {
            return new AttemptJson(
                    attempt.at(),
                    attempt.outcome(),
                    attempt.statusCode(),
                    attempt.duration().toMillis());
        }
    }
}
