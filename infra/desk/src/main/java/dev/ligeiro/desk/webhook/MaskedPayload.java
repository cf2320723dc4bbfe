package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.transaction.MaskedText;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.view.WebhookPayload;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** What a delivery sends, with the personal data masked. */
@Component
class MaskedPayload {

    private static final JsonMapper JSON = new JsonMapper();

    private final TransactionStore transactions;
    private final WebhookPayload payload;

    MaskedPayload(
            TransactionStore transactions,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.public-url}") String publicUrl) {
        this.transactions = transactions;
        this.payload = new WebhookPayload(new ViewSettings(zone, publicUrl).view());
    }

    /** Null if it cannot be built, as of a transaction that is not stored. */
    @Nullable
    JsonNode of(StoredDelivery delivery) {
        if (delivery.eventType().equals(TestEvent.TYPE)) {
            return JSON.readTree(TestEvent.payload(delivery.id().endpointId(), delivery.eventAt()));
        }
        EventId event = delivery.id().eventId();
        return TransactionEvent.find(transactions.find(event.transactionId()).orElse(null), event.sequence())
                .map(found -> masked(JSON.readTree(payload.of(found))))
                .orElse(null);
    }

    private static JsonNode masked(JsonNode body) {
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (member.getValue().isString() && !member.getValue().stringValue().isEmpty()) {
                member.setValue(StringNode.valueOf(
                        masked(member.getKey(), member.getValue().stringValue())));
            }
        }
        body.forEach(MaskedPayload::masked);
        return body;
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
