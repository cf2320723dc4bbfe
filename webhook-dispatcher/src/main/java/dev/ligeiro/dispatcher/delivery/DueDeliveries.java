package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.message.Origin;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The due deliveries of an endpoint.
 *
 * @param unreadable deliveries that cannot be decoded: a field is missing, or has a type that only a newer version knows
 */
public record DueDeliveries(List<DueDelivery> deliveries, List<Unreadable> unreadable) {

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

    static DueDeliveries decode(List<RawBsonDocument> documents) {
        List<DueDelivery> deliveries = new ArrayList<>(documents.size());
        List<Unreadable> unreadable = new ArrayList<>();
        for (RawBsonDocument document : documents) {
            try {
                deliveries.add(read(document));
            } catch (RuntimeException fault) {
                unreadable.add(Unreadable.of(document));
            }
        }
        return new DueDeliveries(deliveries, unreadable);
    }

    /** @throws RuntimeException if a field is missing or of another type */
    private static DueDelivery read(RawBsonDocument document) {
        return new DueDelivery(
                DeliveryId.of(document.getBinary(DeliveryFields.ID).getData()),
                // thousands wait, of a few types
                document.getString(DeliveryFields.EVENT_TYPE).getValue().intern(),
                time(document, DeliveryFields.EVENT_AT),
                document.getInt32(ATTEMPTS_MADE).getValue(),
                time(document, DeliveryFields.NEXT_ATTEMPT_AT),
                Origin.of(text(document, DeliveryFields.REQUEST_ID), text(document, DeliveryFields.TRACE_PARENT)));
    }

    private static Instant time(RawBsonDocument document, String field) {
        return Instant.ofEpochMilli(document.getDateTime(field).getValue());
    }

    private static @Nullable String text(RawBsonDocument document, String field) {
        return document.get(field) instanceof BsonString text ? text.getValue() : null;
    }
}
