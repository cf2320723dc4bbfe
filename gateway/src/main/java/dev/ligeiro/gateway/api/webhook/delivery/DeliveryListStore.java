package dev.ligeiro.gateway.api.webhook.delivery;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.in;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.StatusFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the deliveries of one endpoint, newest first, by ranges of {@code _id}. A page reads at most 300 deliveries, however many the endpoint
 * has: with a status other than {@code delivered} by the index of those, which holds no delivered ones; otherwise by {@code _id}, where most
 * deliveries match.
 */
@Component
public class DeliveryListStore {

    /** Read for a page of {@code delivered}: an endpoint with few delivered ones gives short pages. A delivery has up to 12 kB. */
    private static final int READ_MAX = 300;

    /** Of a page. */
    private static final int ITEMS_MAX = 100;

    private static final Bson NEWEST_FIRST = Sorts.descending(ID);

    private static final Bson WITHOUT_PAYLOADS = Projections.exclude(BODY);
    private static final Bson WITHOUT_ATTEMPTS = Projections.exclude(BODY, ATTEMPTS, RESPONSES);

    private final DecodeEach decode;
    private final MongoCollection<RawBsonDocument> deliveries;

    DeliveryListStore(LongReads reads, DecodeEach decode) {
        this.decode = decode;
        this.deliveries = reads.database().getCollection(CollectionNames.DELIVERIES, RawBsonDocument.class);
    }

    /**
     * A page of an endpoint's deliveries.
     *
     * @param status null for all
     * @param transaction null for those of all transactions
     * @param after null for the first page
     */
    public Mono<Page> page(
            UUID endpointId,
            @Nullable StatusFilter status,
            @Nullable TransactionId transaction,
            @Nullable DeliveryId after) {
        int max = status == StatusFilter.DELIVERED ? READ_MAX : ITEMS_MAX;
        // one more tells whether a page follows
        return read(endpointId, status, transaction, after, WITHOUT_PAYLOADS, max + 1)
                .map(found -> pageOf(found, max, status));
    }

    /**
     * The deliveries of a page.
     *
     * @param found the deliveries in the order of the list; those that cannot be decoded are left out
     * @param readMax if more were found, another page follows
     * @param filter some of {@code found} may not match it; null for all
     */
    private static Page pageOf(List<Row> found, int readMax, @Nullable StatusFilter filter) {
        List<StoredDelivery> items = new ArrayList<>();
        int looked = 0;
        while (looked < Math.min(readMax, found.size()) && items.size() < ITEMS_MAX) {
            StoredDelivery each = found.get(looked).delivery();
            looked++;
            if (each != null && (filter == null || filter.statuses().contains(each.status()))) {
                items.add(each);
            }
        }
        return new Page(
                items, looked == found.size() ? null : found.get(looked - 1).id());
    }

    /** Up to {@code max} deliveries that follow {@code position} in the list of its endpoint, without their payloads and attempts. */
    public Mono<List<Row>> after(DeliveryId position, StatusFilter status, int max) {
        return read(position.endpointId(), status, null, position, WITHOUT_ATTEMPTS, max);
    }

    Mono<StoredDelivery> find(DeliveryId id) {
        return Mono.from(deliveries.find(DeliveryCodec.filter(id)).projection(WITHOUT_PAYLOADS))
                .map(DeliveryListStore::decode);
    }

    private Mono<List<Row>> read(
            UUID endpointId,
            @Nullable StatusFilter status,
            @Nullable TransactionId transaction,
            @Nullable DeliveryId after,
            Bson fields,
            int max) {
        Bson range = new BsonDocument(ENDPOINT, TransactionCodec.binary(endpointId))
                .append(ID, DeliveryCodec.range(endpointId, transaction, after));
        FindPublisher<RawBsonDocument> found = status == null || status == StatusFilter.DELIVERED
                ? deliveries.find(range).hint(Indexes.ascending(ID))
                : deliveries.find(and(in(STATUS, status.statuses()), range)).hint(Indexes.ascending(STATUS, ID));
        return Flux.from(found.sort(NEWEST_FIRST).projection(fields).limit(max).batchSize(max))
                .map(this::row)
                .collectList();
    }

    private Row row(RawBsonDocument document) {
        DeliveryId id = DeliveryId.of(document.getBinary(ID).getData());
        return new Row(id, decode.orNull(CollectionNames.DELIVERIES, id, () -> decode(document)));
    }

    private static StoredDelivery decode(RawBsonDocument document) {
        return StoredDelivery.read(document);
    }

    /**
     * A stored delivery at its place in the list.
     *
     * @param delivery null if its document cannot be decoded
     */
    public record Row(DeliveryId id, @Nullable StoredDelivery delivery) {}

    /**
     * A page of deliveries.
     *
     * @param next the last delivery that was looked at; null on the last page
     */
    public record Page(List<StoredDelivery> items, @Nullable DeliveryId next) {}
}
