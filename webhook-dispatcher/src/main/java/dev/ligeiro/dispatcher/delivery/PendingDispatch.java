package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.message.EventId;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;

/**
 * A delivery to attempt, with all the data that an attempt needs.
 *
 * @param eventAt the time of the event
 * @param body the payload; all endpoints of an event share the array, so it must not be changed
 * @param attempts the earlier, failed attempts
 */
public record PendingDispatch(
        WebhookEndpoint endpoint,
        EventId eventId,
        String eventType,
        Instant eventAt,
        byte[] body,
        List<Attempt> attempts) {

    public DeliveryId id() {
        return new DeliveryId(endpoint.id(), eventId);
    }
}
