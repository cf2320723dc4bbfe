package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.webhook.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.DecoderContext;

/**
 * The due deliveries of an endpoint.
 *
 * @param unreadable deliveries that cannot be decoded, such as those with an outcome that only a newer version knows
 */
public record DueDeliveries(List<Delivery> deliveries, List<Unreadable> unreadable) {

    private static final DeliveryCodec CODEC = new DeliveryCodec();

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
        List<Delivery> deliveries = new ArrayList<>(documents.size());
        List<Unreadable> unreadable = new ArrayList<>();
        for (RawBsonDocument document : documents) {
            try {
                deliveries.add(CODEC.decode(
                        document.asBsonReader(), DecoderContext.builder().build()));
            } catch (RuntimeException fault) {
                unreadable.add(Unreadable.of(document));
            }
        }
        return new DueDeliveries(deliveries, unreadable);
    }
}
