package dev.ligeiro.store;

import static dev.ligeiro.store.DeliveryFields.*;
import static dev.ligeiro.store.StoredValues.*;

import dev.ligeiro.message.Origin;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as it is stored. The status and the outcomes are texts, because a newer version may write ones that this version does not
 * know: the gateway shows them as they are, and the dispatcher sets such a delivery aside.
 *
 * @param body the payload; null if the delivery has none, or if it was not read
 */
public record StoredDelivery(
        DeliveryId id,
        String eventType,
        Instant eventAt,
        String status,
        List<StoredAttempt> attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable Instant endedAt,
        byte @Nullable [] body,
        Origin origin) {

    private static final BsonArray NONE = new BsonArray();

    public record StoredAttempt(
            Instant at, String outcome, @Nullable Integer statusCode, long durationMs, @Nullable String response) {

        public boolean succeeded() {
            return outcome.equals(AttemptOutcome.DELIVERED.code());
        }

        private Attempt attempt() {
            return new Attempt(
                    at, Codes.get(AttemptOutcome.class, outcome), statusCode, Duration.ofMillis(durationMs), response);
        }
    }

    /**
     * When it will be attempted, as far as one can tell; null if never. Stored is when it is due; nothing is sent to a disabled endpoint, or
     * while its circuit breaker is open.
     *
     * @param pausedUntil the end of the latter; null if the circuit breaker is closed
     */
    public @Nullable Instant nextAttemptAt(WebhookEndpoint endpoint, @Nullable Instant pausedUntil) {
        if (nextAttemptAt == null || !endpoint.status().isEnabled()) {
            return null;
        }
        return pausedUntil != null && pausedUntil.isAfter(nextAttemptAt) ? pausedUntil : nextAttemptAt;
    }

    /** @throws IllegalArgumentException if this version does not know its status or one of its outcomes */
    Delivery delivery() {
        return new Delivery(
                id,
                eventType,
                eventAt,
                Codes.get(DeliveryStatus.class, status),
                attempts.stream().map(StoredAttempt::attempt).toList(),
                nextAttemptAt,
                endedAt,
                body,
                origin);
    }

    /** @throws RuntimeException if a field is missing or of another type */
    public static StoredDelivery read(BsonDocument stored) {
        Map<Instant, String> responses = new HashMap<>();
        for (BsonValue kept : stored.getArray(RESPONSES, NONE)) {
            responses.put(instant(kept.asDocument(), AT), text(kept.asDocument(), TEXT));
        }
        return new StoredDelivery(
                DeliveryId.of(stored.getBinary(ID).getData()),
                text(stored, EVENT_TYPE),
                instant(stored, EVENT_AT),
                text(stored, STATUS),
                stored.getArray(ATTEMPTS, NONE).stream()
                        .map(attempt -> readAttempt(attempt.asDocument(), responses))
                        .toList(),
                optionalInstant(stored, NEXT_ATTEMPT_AT),
                optionalInstant(stored, ENDED_AT),
                stored.containsKey(BODY) ? stored.getBinary(BODY).getData() : null,
                Origin.of(optionalText(stored, REQUEST_ID), optionalText(stored, TRACE_PARENT)));
    }

    private static StoredAttempt readAttempt(BsonDocument attempt, Map<Instant, String> responses) {
        Instant at = instant(attempt, AT);
        return new StoredAttempt(
                at,
                text(attempt, OUTCOME),
                attempt.containsKey(STATUS_CODE) ? attempt.getInt32(STATUS_CODE).getValue() : null,
                attempt.getInt64(DURATION_MS).getValue(),
                responses.get(at));
    }
}
