package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;

/** Deliveries as merchants and operators see them, and their ids as text. */
@Component
public class DeliveryJson {

    /** Then base64url. */
    private static final String PREFIX = "dlv_";

    private final Timestamps timestamps;

    DeliveryJson(GatewayProperties properties) {
        this.timestamps = new Timestamps(properties.timeZone());
    }

    /** The id of a delivery as text. It is also the cursor of a page that ends with the delivery. */
    public static String text(DeliveryId id) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(id.bytes());
    }

    /** @throws IllegalArgumentException if {@code text} is not the id of a delivery to this endpoint */
    public static DeliveryId id(String text, UUID endpointId) {
        try {
            DeliveryId id = DeliveryId.of(
                    Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : ""));
            // only the one text that stands for the id
            if (id.endpointId().equals(endpointId) && text(id).equals(text)) {
                return id;
            }
        } catch (IllegalArgumentException malformed) {
            // same message as for the id of another endpoint's delivery
        }
        throw new IllegalArgumentException("expected the next_cursor of a page of this endpoint's deliveries");
    }

    /**
     * When the delivery will be attempted, as far as one can tell; null if never. Stored is when it is due; nothing is sent to a disabled
     * endpoint, or while its circuit breaker is open.
     *
     * @param pausedUntil the end of the latter; null if the circuit breaker is closed
     */
    public static @Nullable Instant nextAttemptAt(
            StoredDelivery delivery, WebhookEndpoint endpoint, @Nullable Instant pausedUntil) {
        Instant due = delivery.nextAttemptAt();
        if (due == null || !endpoint.status().isEnabled()) {
            return null;
        }
        return pausedUntil != null && pausedUntil.isAfter(due) ? pausedUntil : due;
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
                write(json, delivery, nextAttemptAt(delivery, endpoint, pausedUntil));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringProperty("next_cursor", page.next() == null ? null : text(page.next()));
        });
    }

    /** Empty for a test event, which has none. */
    private static String transactionId(StoredDelivery delivery) {
        return delivery.eventType().equals(TestEvent.TYPE)
                ? ""
                : delivery.id().eventId().transactionId().toString();
    }

    private void write(JsonGenerator json, StoredDelivery delivery, @Nullable Instant nextAttemptAt) {
        json.writeStringProperty("id", text(delivery.id()));
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
        json.writeNumberProperty("duration_ms", attempt.duration().toMillis());
        json.writeEndObject();
    }
}
