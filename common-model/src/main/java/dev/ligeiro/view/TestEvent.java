package dev.ligeiro.view;

import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A webhook of the type {@code webhook.test}, of no transaction. Its id has the form of other ids, so it is delivered as they are. */
public final class TestEvent {

    public static final String TYPE = "webhook.test";

    private static final JsonFactory JSON = new JsonFactory();

    private TestEvent() {}

    /** A delivery of an event of {@code now}, due at {@code at}. */
    public static Delivery delivery(UUID endpointId, Instant now, Instant at) {
        TransactionId none = new TransactionId(UuidV7.at(now.toEpochMilli()));
        DeliveryId id = new DeliveryId(endpointId, new EventId(none, 1));
        return Delivery.due(id, TYPE, now, at, payload(endpointId, now));
    }

    /** The payload; unlike a transaction's, it cannot be built again by the dispatcher. */
    public static byte[] payload(UUID endpointId, Instant eventAt) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty("type", TYPE);
            json.writeStringProperty("timestamp", eventAt.toString());
            json.writeObjectPropertyStart("data");
            json.writeStringProperty("webhook_endpoint_id", endpointId.toString());
            json.writeEndObject();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
