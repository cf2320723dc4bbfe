package dev.ligeiro.webhook;

import dev.ligeiro.message.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored delivery: one event to one endpoint. It has a time of its next attempt exactly while it is scheduled, and a time of its
 * end otherwise. Ended deliveries are deleted after 30 days; scheduled ones never.
 *
 * @param eventType the {@code type} of the payload, as text, because it may be one that only a newer version knows
 * @param eventAt the time of the event
 * @param nextAttemptAt the time of the next attempt; while the first attempt is running, the time at which another process may
 *     repeat it; null in a final status. Every result changes it, so a process writes a result only if it is as it was read
 * @param endedAt the time at which the final status was reached; null while scheduled
 * @param body the payload of a scheduled test event, which no transaction stands behind; null otherwise, because the dispatcher builds the
 *     payload from the stored transaction
 * @param origin the request that caused the event; kept while scheduled, so that the log lines of all attempts name it
 */
public record Delivery(
        DeliveryId id,
        String eventType,
        Instant eventAt,
        DeliveryStatus status,
        List<Attempt> attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable Instant endedAt,
        byte @Nullable [] body,
        Origin origin) {

    public static final Duration KEPT = Duration.ofDays(30);

    // not in compact form: NullAway does not see the annotation of an array there
    public Delivery(
            DeliveryId id,
            String eventType,
            Instant eventAt,
            DeliveryStatus status,
            List<Attempt> attempts,
            @Nullable Instant nextAttemptAt,
            @Nullable Instant endedAt,
            byte @Nullable [] body,
            Origin origin) {
        boolean scheduled = status == DeliveryStatus.SCHEDULED;
        if (scheduled != (nextAttemptAt != null) || scheduled == (endedAt != null)) {
            throw new IllegalArgumentException("nextAttemptAt, endedAt: " + nextAttemptAt + ", " + endedAt
                    + " (expected: the first exactly when scheduled, else the second; it is " + status + ")");
        }
        this.id = id;
        this.eventType = eventType;
        this.eventAt = eventAt;
        this.status = status;
        this.attempts = List.copyOf(attempts);
        this.nextAttemptAt = nextAttemptAt;
        this.endedAt = endedAt;
        this.body = body;
        this.origin = origin;
    }

    /** A new delivery without an attempt. Its first attempt is due at {@code at}. */
    public static Delivery due(DeliveryId id, String eventType, Instant eventAt, Instant at, byte @Nullable [] body) {
        return new Delivery(id, eventType, eventAt, DeliveryStatus.SCHEDULED, List.of(), at, null, body, Origin.NONE);
    }

    /** A delivery in a final status. It has no payload. */
    public static Delivery ended(
            DeliveryId id,
            String eventType,
            Instant eventAt,
            DeliveryStatus status,
            List<Attempt> attempts,
            Instant endedAt) {
        return new Delivery(id, eventType, eventAt, status, attempts, null, endedAt, null, Origin.NONE);
    }
}
