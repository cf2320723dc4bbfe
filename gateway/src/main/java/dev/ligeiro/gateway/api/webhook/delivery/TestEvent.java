package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;
import java.util.UUID;

/** A webhook of the type {@code webhook.test}, of no transaction. Its id has the form of other ids, so it is delivered as they are. */
public final class TestEvent {

    public static final String TYPE = "webhook.test";

    private TestEvent() {}

    /** A delivery of an event of {@code now}, due at {@code at}. */
    static Delivery delivery(UUID endpointId, Instant now, Instant at) {
        TransactionId none = new TransactionId(UuidV7.at(now.toEpochMilli()));
        DeliveryId id = new DeliveryId(endpointId, new EventId(none, 1));
        return Delivery.due(id, TYPE, now, at, payload(endpointId, now));
    }

    /** The payload; unlike a transaction's, it cannot be built again by the dispatcher. */
    static byte[] payload(UUID endpointId, Instant eventAt) {
        return JsonResponse.object(json -> {
            json.writeStringProperty("type", TYPE);
            json.writeStringProperty("timestamp", eventAt.toString());
            json.writeObjectPropertyStart("data");
            json.writeStringProperty("webhook_endpoint_id", endpointId.toString());
            json.writeEndObject();
        });
    }
}
