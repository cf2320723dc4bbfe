package dev.ligeiro.gateway.delivery;

import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored delivery as the list shows it. Statuses and outcomes are texts, because a newer dispatcher may write ones that this version
 * does not know.
 */
record StoredDelivery(
        DeliveryId id,
        String eventType,
        Instant eventAt,
        String status,
        @Nullable Instant nextAttemptAt,
        List<StoredAttempt> attempts) {

    /**
     * One attempt.
     *
     * @param statusCode null without a response
     */
    record StoredAttempt(Instant at, String outcome, @Nullable Integer statusCode, long durationMillis) {}
}
