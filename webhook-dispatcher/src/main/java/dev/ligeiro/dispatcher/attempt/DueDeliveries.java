package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.message.EventType;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * The due deliveries of an endpoint, earliest due time first and without payloads.
 *
 * @param unreadable deliveries that cannot be decoded: a field is missing, or has a type that only a newer version knows
 */
public record DueDeliveries(List<Dispatch> deliveries, List<Unreadable> unreadable) {

    /** The number of a delivery's attempts, in place of the attempts, of which a merchant that redelivers may have caused a hundred. */
    static final String ATTEMPTS_MADE = "attemptsMade";

    /**
     * A delivery that cannot be decoded.
     *
     * @param nextAttemptAt the time of the next attempt as it was read
     */
    public record Unreadable(BsonValue id, BsonValue nextAttemptAt) {

        private static Unreadable of(RawBsonDocument found) {
            return new Unreadable(
                    Objects.requireNonNull(found.get(DeliveryFields.ID)),
                    Objects.requireNonNull(found.get(DeliveryFields.NEXT_ATTEMPT_AT)));
        }
    }

    /** The number of deliveries read. */
    public int size() {
        return deliveries.size() + unreadable.size();
    }

    static DueDeliveries decode(WebhookEndpoint endpoint, List<RawBsonDocument> documents) {
        List<Dispatch> deliveries = new ArrayList<>(documents.size());
        List<Unreadable> unreadable = new ArrayList<>();
        for (RawBsonDocument document : documents) {
            try {
                deliveries.add(read(endpoint, document));
            } catch (RuntimeException fault) {
                unreadable.add(Unreadable.of(document));
            }
        }
        return new DueDeliveries(deliveries, unreadable);
    }

    /** @throws RuntimeException if a field is missing or of another type */
    private static Dispatch read(WebhookEndpoint endpoint, RawBsonDocument document) {
        StoredDelivery stored = StoredDelivery.read(document);
        return new Dispatch(
                endpoint,
                stored.id().eventId(),
                // thousands wait, of a few types
                EventType.findByCode(stored.eventType()).map(EventType::code).orElse(stored.eventType()),
                stored.eventAt(),
                Dispatch.NO_BODY,
                document.getInt32(ATTEMPTS_MADE).getValue(),
                Objects.requireNonNull(stored.nextAttemptAt()),
                stored.origin());
    }
}
