package dev.ligeiro.dispatcher.payload;

import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import java.io.ByteArrayOutputStream;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes the payload of an event (Standard Webhooks 1.0: {@code type}, {@code timestamp}, {@code data}). {@code data} has the fields of
 * the API's transaction without the QR image, plus {@code previous_status} and {@code sequence}.
 */
@Component
public class WebhookPayload {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int TYPICAL_LENGTH = 2048;

    private final TransactionView view;

    WebhookPayload(ViewProperties properties) {
        this.view = new TransactionView(new Timestamps(properties.timeZone()), properties.publicUrl());
    }

    public byte[] of(TransactionEvent event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_LENGTH);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty("type", event.type().code());
            json.writeStringProperty("timestamp", event.at().toString());
            json.writeObjectPropertyStart("data");
            view.writeFields(json, event.transaction(), null);
            writeChange(json, event);
            json.writeEndObject();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void writeChange(JsonGenerator json, TransactionEvent event) {
        Status previous = event.previousStatus();
        if (previous == null) {
            json.writeNullProperty("previous_status");
        } else {
            json.writeStringProperty("previous_status", previous.code());
        }
        json.writeNumberProperty("sequence", event.id().sequence());
    }
}
