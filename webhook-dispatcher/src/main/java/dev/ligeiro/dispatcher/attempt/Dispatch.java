package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery to attempt, with all the data that an attempt needs.
 *
 * @param eventAt the time of the event
 * @param body the payload; empty if this process does not attempt the delivery now. All endpoints of an event share the array, so it must
 *     not be changed
 * @param attemptsMade the number of earlier attempts
 * @param storedFor the next attempt's time in the stored delivery; null if the delivery is not stored yet
 * @param origin the request that caused the event, for the log line and the trace
 */
public record Dispatch(
        WebhookEndpoint endpoint,
        EventId eventId,
        String eventType,
        Instant eventAt,
        byte[] body,
        int attemptsMade,
        @Nullable Instant storedFor,
        Origin origin) {

    public DeliveryId id() {
        return new DeliveryId(endpoint.id(), eventId);
    }

    /** The new delivery, before its first attempt, due at {@code at}. It has no payload: the stored transaction gives that. */
    public Delivery scheduled(Instant at) {
        return new Delivery(id(), eventType, eventAt, DeliveryStatus.SCHEDULED, List.of(), at, null, null, origin);
    }

    Dispatch withBody(byte[] changed) {
        return new Dispatch(endpoint, eventId, eventType, eventAt, changed, attemptsMade, storedFor, origin);
    }

    /** The same, after it was stored with its next attempt at {@code at}. */
    public Dispatch stored(Instant at) {
        return new Dispatch(endpoint, eventId, eventType, eventAt, body, attemptsMade, at, origin);
    }
}
