package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;

/** Deliveries as merchants see them. */
@Component
public class DeliveryJson {

    private final Timestamps timestamps;

    DeliveryJson(GatewayProperties properties) {
        this.timestamps = new Timestamps(properties.timeZone());
    }

    /** A delivery that has just been scheduled: that ends a pause. */
    public byte[] one(StoredDelivery delivery) {
        return JsonResponse.object(json -> write(json, delivery, delivery.nextAttemptAt()));
    }

    /** A page of deliveries with their attempts. */
    public byte[] page(DeliveryListStore.Page page, WebhookEndpoint endpoint, @Nullable Instant pausedUntil) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("deliveries");
            for (StoredDelivery delivery : page.items()) {
                json.writeStartObject();
                write(json, delivery, delivery.nextAttemptAt(endpoint, pausedUntil));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringProperty(
                    "next_cursor", page.next() == null ? null : page.next().text());
        });
    }

    /** Empty for a test event, which has none. */
    private static String transactionId(StoredDelivery delivery) {
        return delivery.eventType().equals(TestEvent.TYPE)
                ? ""
                : delivery.id().eventId().transactionId().toString();
    }

    private void write(JsonGenerator json, StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        json.writeStringProperty("id", delivery.id().text());
        json.writeStringProperty("event_id", delivery.id().eventId().toString());
        json.writeStringProperty("event_type", delivery.eventType());
        json.writeStringProperty("transaction_id", transactionId(delivery));
        json.writeStringProperty("status", delivery.status());
        json.writeStringProperty("next_attempt_at", nextAttemptAt == null ? "" : timestamps.format(nextAttemptAt));
        json.writeArrayPropertyStart("attempts");
        delivery.attempts().forEach(attempt -> write(json, attempt));
        json.writeEndArray();
    }

    private void write(JsonGenerator json, StoredDelivery.StoredAttempt attempt) {
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
