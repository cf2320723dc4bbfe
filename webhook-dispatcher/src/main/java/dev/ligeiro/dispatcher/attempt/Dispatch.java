package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery to attempt. Without its payload it takes a few hundred bytes, so thousands may wait in memory for their attempt.
 *
 * @param eventAt the time of the event
 * @param body the payload; empty until an attempt is about to start. All endpoints of an event share the array, so it must not be changed
 * @param attemptsMade the number of earlier attempts
 * @param replayed whether a merchant has asked for it again; it may have no attempt yet, although its event is old
 * @param storedFor the next attempt's time in the stored delivery, as it was read; null if the delivery is not stored yet
 * @param origin the request that caused the event, for the log line and the trace
 */
public record Dispatch(
        WebhookEndpoint endpoint,
        EventId eventId,
        String eventType,
        Instant eventAt,
        byte[] body,
        int attemptsMade,
        boolean replayed,
        @Nullable Instant storedFor,
        Origin origin) {

    public static final byte[] NO_BODY = {};

    public DeliveryId id() {
        return new DeliveryId(endpoint.id(), eventId);
    }

    /** The new delivery, before its first attempt, due at {@code at}. */
    public Delivery scheduled(Instant at) {
        return scheduled(at, List.of());
    }

    /** It has no payload, because the stored transaction gives that. */
    Delivery scheduled(Instant at, List<Attempt> attempts) {
        return new Delivery(id(), eventType, eventAt, DeliveryStatus.SCHEDULED, attempts, at, null, null, origin);
    }

    public Dispatch withBody(byte[] changed) {
        return new Dispatch(endpoint, eventId, eventType, eventAt, changed, attemptsMade, replayed, storedFor, origin);
    }

    /** The same, after it was stored with its next attempt at {@code at}; without payload. */
    Dispatch stored(Instant at) {
        return new Dispatch(endpoint, eventId, eventType, eventAt, NO_BODY, attemptsMade, replayed, at, origin);
    }
}
