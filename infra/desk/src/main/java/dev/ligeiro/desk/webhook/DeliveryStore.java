package dev.ligeiro.desk.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.or;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryUpdates;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.StatusFilter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/**
 * The deliveries of endpoints, in the order of their transactions, the newest first: ranges of {@code _id}. A page reads at most 300 of them,
 * however many the endpoint has: with a status other than {@code delivered} by the index of those, otherwise by {@code _id}.
 */
@Component
public class DeliveryStore {

    /** Read for a page of {@code delivered}: an endpoint with few delivered ones gives short pages. A delivery has up to 8 kB. */
    private static final int READ_MAX = 300;

    private static final int OF_TRANSACTION_MAX = 200;

    /** Counted up to this number, from the index alone: 3 ms. */
    private static final int COUNT_MAX = 10_000;

    private static final Bson WITHOUT_PAYLOADS = Projections.exclude(BODY);
    private static final Function<BsonDocument, Stream<StoredDelivery>> DECODE =
            DecodeEach.of(CollectionNames.DELIVERIES, StoredDelivery::read);

    private static final Bson BY_STATUS = Indexes.ascending(STATUS, ID);

    private final MongoCollection<RawBsonDocument> deliveries;
    private final MongoCollection<Delivery> inserted;

    DeliveryStore(MongoTemplate mongo) {
        MongoDatabase database = mongo.getDb();
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, RawBsonDocument.class);
        this.inserted = database.getCollection(CollectionNames.DELIVERIES, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()));
    }

    /** A page of an endpoint's deliveries; null stands for all statuses, all transactions, the first page. */
    Slice<StoredDelivery> page(
            UUID endpointId,
            @Nullable StatusFilter status,
            @Nullable TransactionId transaction,
            @Nullable DeliveryId after) {
        boolean isDelivered = status == StatusFilter.DELIVERED;
        int max = isDelivered ? READ_MAX : Slice.ITEMS_MAX;
        Bson upper = after == null
                ? lte(ID, bound(endpointId, transaction, (byte) 0xFF))
                : lt(ID, DeliveryCodec.binary(after));
        Bson range = and(
                eq(ENDPOINT, TransactionCodec.binary(endpointId)),
                gte(ID, bound(endpointId, transaction, (byte) 0)),
                upper);
        FindIterable<RawBsonDocument> found = status == null || isDelivered
                ? deliveries.find(range).hint(Indexes.ascending(ID))
                : deliveries.find(and(in(STATUS, status.statuses()), range)).hint(BY_STATUS);
        List<RawBsonDocument> read = found.sort(Sorts.descending(ID))
                .projection(WITHOUT_PAYLOADS)
                .limit(max + 1)
                .into(new ArrayList<>());
        List<StoredDelivery> items = new ArrayList<>();
        int looked = 0;
        while (looked < Math.min(max, read.size()) && items.size() < Slice.ITEMS_MAX) {
            DECODE.apply(read.get(looked++))
                    .filter(each -> status == null || status.statuses().contains(each.status()))
                    .forEach(items::add);
        }
        return new Slice<>(
                items, looked == read.size() ? null : id(read.get(looked - 1)).text());
    }

    /** Up to 200 deliveries of a transaction to these endpoints: a range of {@code _id} for each endpoint. */
    public List<StoredDelivery> ofTransaction(Collection<UUID> endpointIds, TransactionId transaction) {
        if (endpointIds.isEmpty()) {
            return List.of();
        }
        List<Bson> ranges = endpointIds.stream()
                .map(endpoint -> and(
                        gte(ID, DeliveryCodec.binary(new DeliveryId(endpoint, new EventId(transaction, 1)))),
                        lte(
                                ID,
                                DeliveryCodec.binary(
                                        new DeliveryId(endpoint, new EventId(transaction, Integer.MAX_VALUE))))))
                .toList();
        return decoded(deliveries
                .find(and(
                        in(
                                ENDPOINT,
                                endpointIds.stream()
                                        .map(TransactionCodec::binary)
                                        .toList()),
                        or(ranges)))
                .hint(Indexes.ascending(ID))
                .projection(WITHOUT_PAYLOADS)
                .limit(OF_TRANSACTION_MAX));
    }

    /** With its payload, if that is stored. */
    Optional<StoredDelivery> find(DeliveryId id) {
        return Optional.ofNullable(deliveries.find(DeliveryCodec.filter(id)).first())
                .map(StoredDelivery::read);
    }

    /**
     * Up to 100 scheduled deliveries of the endpoint, those first whose next attempt is farthest away: they have been attempted most often.
     */
    List<StoredDelivery> retried(UUID endpointId) {
        return decoded(deliveries
                .find(and(
                        eq(STATUS, DeliveryStatus.SCHEDULED.code()),
                        eq(ENDPOINT, TransactionCodec.binary(endpointId)),
                        gt(NEXT_ATTEMPT_AT, new Date(0))))
                .projection(WITHOUT_PAYLOADS)
                .sort(Sorts.descending(NEXT_ATTEMPT_AT))
                .limit(Slice.ITEMS_MAX));
    }

    /** The number of the endpoint's deliveries with one of the filter's statuses, all but {@code delivered}; at most 10,000. */
    long count(UUID endpointId, StatusFilter filter) {
        long sum = 0;
        for (String status : filter.statuses()) {
            sum += deliveries.countDocuments(
                    and(
                            eq(STATUS, status),
                            gte(ID, bound(endpointId, null, (byte) 0)),
                            lte(ID, bound(endpointId, null, (byte) 0xFF))),
                    new CountOptions()
                            .hint(BY_STATUS)
                            .comment(AllShards.OPERATOR)
                            .limit(COUNT_MAX));
        }
        return Math.min(sum, COUNT_MAX);
    }

    /**
     * A time, {@code now} at the latest, that is before the next attempts of all the endpoint's deliveries: the dispatcher attempts what is due
     * longest first, so a person that asks for one delivery does not wait for a backlog.
     */
    Instant beforeAll(UUID endpointId, Instant now) {
        RawBsonDocument first = deliveries
                .find(and(
                        eq(STATUS, DeliveryStatus.SCHEDULED.code()),
                        eq(ENDPOINT, TransactionCodec.binary(endpointId)),
                        // without a time, a malformed delivery would be the first one
                        gt(NEXT_ATTEMPT_AT, new Date(0))))
                .projection(Projections.include(NEXT_ATTEMPT_AT))
                .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                .first();
        Instant before = first == null
                ? now
                : Instant.ofEpochMilli(first.getDateTime(NEXT_ATTEMPT_AT).getValue() - 1);
        return before.isBefore(now) ? before : now;
    }

    /** Schedules the delivery for {@code at}; changes nothing while an attempt may be running. */
    void schedule(DeliveryId id, Instant at, Instant now, byte @Nullable [] payload) {
        deliveries.updateOne(DeliveryUpdates.free(id, now), DeliveryUpdates.scheduled(at, UUID.randomUUID(), payload));
    }

    void insert(Delivery delivery) {
        inserted.insertOne(delivery);
    }

    private static List<StoredDelivery> decoded(FindIterable<RawBsonDocument> found) {
        return found.into(new ArrayList<>()).stream().flatMap(DECODE).toList();
    }

    private static DeliveryId id(RawBsonDocument document) {
        return DeliveryId.of(document.getBinary(ID).getData());
    }

    /** The endpoint's id and the transaction's, if there is one, then {@code filler} up to the length of a delivery's id. */
    private static BsonBinary bound(UUID endpointId, @Nullable TransactionId transaction, byte filler) {
        byte[] bytes = new byte[DeliveryId.LENGTH];
        Arrays.fill(bytes, filler);
        ByteBuffer start = ByteBuffer.wrap(bytes)
                .putLong(endpointId.getMostSignificantBits())
                .putLong(endpointId.getLeastSignificantBits());
        if (transaction != null) {
            start.putLong(transaction.value().getMostSignificantBits())
                    .putLong(transaction.value().getLeastSignificantBits());
        }
        return new BsonBinary(bytes);
    }
}
