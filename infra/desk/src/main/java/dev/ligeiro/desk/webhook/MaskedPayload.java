package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.transaction.MaskedText;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** What a delivery sends and what its endpoint answers to that, with the personal data masked. */
@Component
class MaskedPayload {

    private static final JsonMapper JSON = new JsonMapper();

    private final TransactionStore transactions;
    private final WebhookPayload payload;
    private final SecretKeys keys;

    MaskedPayload(
            TransactionStore transactions,
            SecretKeys keys,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.public-url}") String publicUrl) {
        this.transactions = transactions;
        this.keys = keys;
        this.payload = new WebhookPayload(new ViewSettings(zone, publicUrl).view());
    }

    /**
     * @param payload null if it cannot be built, as of a transaction that is not stored
     * @param response what may be seen of a response: it may repeat the request, the merchant's own headers and the URL
     */
    record Masked(@Nullable JsonNode payload, UnaryOperator<String> response) {}

    Masked of(WebhookEndpoint endpoint, StoredDelivery delivery) {
        JsonNode body = body(delivery);
        List<String> hidden = new ArrayList<>();
        if (body != null) {
            mask(body, hidden);
        }
        boolean isKnown = body != null && addRequest(endpoint, hidden);
        return new Masked(body, isKnown ? new HiddenTexts(hidden)::mask : response -> MaskedText.HIDDEN);
    }

    /** False if no key decrypts a header. */
    private boolean addRequest(WebhookEndpoint endpoint, List<String> hidden) {
        URI url = URI.create(endpoint.url());
        Stream.of(url.getRawPath(), url.getPath(), url.getRawQuery(), url.getQuery())
                .filter(Objects::nonNull)
                .forEach(each -> HiddenTexts.addWithParts(each, hidden));
        try {
            endpoint.headers()
                    .forEach((name, value) ->
                            HiddenTexts.addWithParts(keys.decryptHeader(endpoint.id(), name, value), hidden));
            return true;
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    private @Nullable JsonNode body(StoredDelivery delivery) {
        if (delivery.eventType().equals(TestEvent.TYPE)) {
            return JSON.readTree(TestEvent.payload(delivery.id().endpointId(), delivery.eventAt()));
        }
        EventId event = delivery.id().eventId();
        return TransactionEvent.find(transactions.find(event.transactionId()).orElse(null), event.sequence())
                .map(found -> JSON.readTree(payload.of(found)))
                .orElse(null);
    }

    private static void mask(JsonNode body, List<String> hidden) {
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (member.getValue().isString() && !member.getValue().stringValue().isEmpty()) {
                String text = member.getValue().stringValue();
                String masked = masked(member.getKey(), text);
                if (!masked.equals(text)) {
                    member.setValue(StringNode.valueOf(masked));
                    hidden.add(text);
                }
            }
        }
        body.forEach(each -> mask(each, hidden));
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
}
