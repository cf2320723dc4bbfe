package dev.ligeiro.view;

import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Status;
import java.io.ByteArrayOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes the payload of an event (Standard Webhooks 1.0: {@code type}, {@code timestamp}, {@code data}). {@code data} has the fields of
 * the API's transaction without the QR image, plus {@code previous_status} and {@code sequence}; of {@code refunds} only the one that
 * the event is about, and {@code dispute} if it is about one. A payload has at most 32 kB.
 */
public final class WebhookPayload {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int TYPICAL_LENGTH = 2048;

    private final TransactionView view;

    public WebhookPayload(TransactionView view) {
        this.view = view;
    }

    public byte[] of(TransactionEvent event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_LENGTH);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            writeFields(json, event);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    public void writeFields(JsonGenerator json, TransactionEvent event) {
        json.writeStringProperty("type", event.type().code());
        json.writeStringProperty("timestamp", event.at().toString());
        json.writeObjectPropertyStart("data");
        view.writeFields(json, event.transaction(), null);
        writeChange(json, event);
        if (event.dispute() != null) {
            json.writeObjectPropertyStart("dispute");
            view.writeDispute(json, event.dispute());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void writeChange(JsonGenerator json, TransactionEvent event) {
        Status previous = event.previousStatus();
        if (previous == null) {
            json.writeNullProperty("previous_status");
        } else {
            json.writeStringProperty("previous_status", previous.code());
        }
        json.writeNumberProperty("sequence", event.sequence());
    }
}
