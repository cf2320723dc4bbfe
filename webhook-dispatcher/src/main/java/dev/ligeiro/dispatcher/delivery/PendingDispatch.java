package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.message.EventId;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;

/**
 * A delivery about to be attempted: all that an attempt needs, in memory.
 *
 * @param eventAt when the event happened
 * @param body the payload's bytes: shared by all endpoints of an event, never changed
 * @param attempts those that have failed before
 */
public record PendingDispatch(
        WebhookEndpoint endpoint,
        EventId eventId,
        EventType eventType,
        Instant eventAt,
        byte[] body,
        List<Attempt> attempts) {

    public DeliveryId id() {
        return new DeliveryId(endpoint.id(), eventId);
    }
}
