package dev.ligeiro.view;

import dev.ligeiro.message.EventId;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDelivery.StoredAttempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes the merchant's view of a delivery as JSON: its attempts, the oldest first, with what the endpoint has answered. */
public final class DeliveryView {

    private final Timestamps timestamps;

    public DeliveryView(Timestamps timestamps) {
        this.timestamps = timestamps;
    }

    /**
     * Writes the delivery's fields into the current object of {@code json}.
     *
     * @param nextAttemptAt null if it will not be attempted
     */
    public void writeFields(JsonGenerator json, StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        EventId event = delivery.id().eventId();
        json.writeStringProperty("id", delivery.id().text());
        json.writeStringProperty("event_id", event.toString());
        json.writeStringProperty("event_type", delivery.eventType());
        json.writeStringProperty(
                "transaction_id", isTest ? "" : event.transactionId().toString());
        json.writeStringProperty("status", delivery.status());
        json.writeStringProperty("next_attempt_at", timestamps.orEmpty(nextAttemptAt));
        json.writeArrayPropertyStart("attempts");
        delivery.attempts().forEach(attempt -> write(json, attempt));
        json.writeEndArray();
    }

    private void write(JsonGenerator json, StoredAttempt attempt) {
        json.writeStartObject();
        json.writeStringProperty("at", timestamps.format(attempt.at()));
        json.writeStringProperty("outcome", attempt.outcome());
        if (attempt.statusCode() == null) {
            json.writeNullProperty("status_code");
        } else {
            json.writeNumberProperty("status_code", attempt.statusCode());
        }
        json.writeNumberProperty("duration_ms", attempt.durationMs());
        json.writeStringProperty("response", attempt.response());
        json.writeEndObject();
    }
}
