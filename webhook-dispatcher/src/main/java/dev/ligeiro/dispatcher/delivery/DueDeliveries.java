package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.webhook.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.DecoderContext;

/**
 * The due deliveries of an endpoint.
 *
 * @param unreadable the ids of deliveries that cannot be decoded, such as those with a status that only a newer version knows
 */
public record DueDeliveries(List<Delivery> deliveries, List<BsonValue> unreadable) {

    private static final DeliveryCodec CODEC = new DeliveryCodec();

    /** The number of deliveries read. */
    public int size() {
        return deliveries.size() + unreadable.size();
    }

    static DueDeliveries decode(List<RawBsonDocument> documents) {
        List<Delivery> deliveries = new ArrayList<>(documents.size());
        List<BsonValue> unreadable = new ArrayList<>();
        for (RawBsonDocument document : documents) {
            try {
                deliveries.add(CODEC.decode(
                        document.asBsonReader(), DecoderContext.builder().build()));
            } catch (RuntimeException fault) {
                unreadable.add(document.get(DeliveryFields.ID));
            }
        }
        return new DueDeliveries(deliveries, unreadable);
    }
}
