package dev.ligeiro.desk.webhook;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDelivery.StoredAttempt;
import dev.ligeiro.view.TestEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A delivery with the members that merchants see.
 *
 * @param transactionId null for a test event
 * @param attempts the oldest first; in a list without what the endpoint has answered, which may be the request with its personal data
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

    /** Without responses. */
    public static DeliveryJson of(StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        return of(delivery, nextAttemptAt, response -> null);
    }

    /** @param masked what an operator may see of a response */
    static DeliveryJson of(
            StoredDelivery delivery,
            @Nullable Instant nextAttemptAt,
            Function<? super String, ? extends @Nullable String> masked) {
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        return new DeliveryJson(
                delivery.id().text(),
                delivery.id().eventId().toString(),
                delivery.eventType(),
                isTest ? null : delivery.id().eventId().transactionId().value(),
                delivery.eventAt(),
                delivery.status(),
                nextAttemptAt,
                delivery.attempts().stream()
                        .map(each -> new StoredAttempt(
                                each.at(),
                                each.outcome(),
                                each.statusCode(),
                                each.durationMs(),
                                each.response() == null ? null : masked.apply(each.response())))
                        .toList());
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
