package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.transaction.MaskedText;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Schedules a delivery that a person waits for: one of the endpoint again, or that of a test event. The dispatcher attempts it before all
 * others of the endpoint. Also shows what a delivery sends.
 */
@Component
class Deliveries {

    /** Ten times the attempts of the schedule. It limits the size of the stored delivery. */
    private static final int ATTEMPTS_MAX = 100;

    private static final JsonMapper JSON = new JsonMapper();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final DeliveryStore store;
    private final EndpointStore endpoints;
    private final TransactionStore transactions;
    private final WebhookPayload payload;
    private final Clock clock;

    Deliveries(
            DeliveryStore store,
            EndpointStore endpoints,
            TransactionStore transactions,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.public-url}") String publicUrl,
            Clock clock) {
        this.store = store;
        this.endpoints = endpoints;
        this.transactions = transactions;
        this.payload = new WebhookPayload(new ViewSettings(zone, publicUrl).view());
        this.clock = clock;
    }

    /** The scheduled delivery, whatever its status was. */
    StoredDelivery again(WebhookEndpoint endpoint, DeliveryId id) {
        refuseDisabled(endpoint);
        StoredDelivery delivery = find(id);
        if (delivery.attempts().size() >= ATTEMPTS_MAX) {
            throw Problem.of(ProblemCode.TOO_MANY_ATTEMPTS, "A delivery has at most " + ATTEMPTS_MAX + " attempts");
        }
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        Instant now = now();
        store.schedule(
                id,
                store.beforeAll(endpoint.id(), now),
                now,
                isTest ? TestEvent.payload(endpoint.id(), delivery.eventAt()) : null);
        endpoints.markDue(endpoint, true, now);
        return find(id);
    }

    /** The scheduled delivery of a new test event. */
    StoredDelivery test(WebhookEndpoint endpoint) {
        refuseDisabled(endpoint);
        Instant now = now();
        Delivery delivery = TestEvent.delivery(endpoint.id(), now, store.beforeAll(endpoint.id(), now));
        store.insert(delivery);
        endpoints.markDue(endpoint, true, now);
        return find(delivery.id());
    }

    /** Nothing is scheduled for a disabled endpoint: a dispatcher would cancel it. */
    static void refuseDisabled(WebhookEndpoint endpoint) {
        if (!endpoint.status().isEnabled()) {
            throw Problem.of(ProblemCode.ENDPOINT_DISABLED, "Enable the webhook endpoint first");
        }
    }

    StoredDelivery find(DeliveryId id) {
        return store.find(id).orElseThrow(Deliveries::notFound);
    }

    static Problem notFound() {
        return Problem.notFound("This webhook endpoint has no delivery with this id");
    }

    /**
     * The body that its requests have, with the personal data masked; null if it cannot be built, as of a transaction that is not stored.
     */
    @Nullable
    Map<String, Object> payload(StoredDelivery delivery) {
        if (delivery.eventType().equals(TestEvent.TYPE)) {
            return JSON.readValue(TestEvent.payload(delivery.id().endpointId(), delivery.eventAt()), OBJECT);
        }
        EventId event = delivery.id().eventId();
        return TransactionEvent.find(transactions.find(event.transactionId()).orElse(null), event.sequence())
                .map(payload::of)
                .map(body -> masked(JSON.readValue(body, OBJECT)))
                .orElse(null);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> masked(Map<String, Object> object) {
        object.replaceAll((name, value) -> {
            if (value instanceof Map<?, ?> nested) {
                return masked((Map<String, Object>) nested);
            }
            if (value instanceof List<?> all) {
                return all.stream()
                        .map(each -> each instanceof Map<?, ?> nested ? masked((Map<String, Object>) nested) : each)
                        .toList();
            }
            return value instanceof String text && !text.isEmpty() ? masked(name, text) : value;
        });
        return object;
    }

    private static String masked(String name, String text) {
        return switch (name) {
            case "name" -> MaskedText.name(text);
            case "document" -> MaskedText.document(text);
            case "email" -> MaskedText.email(text);
            case "phone" -> MaskedText.phone(text);
            case "pix_key", "description", "extra" -> MaskedText.HIDDEN;
            default -> text;
        };
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
