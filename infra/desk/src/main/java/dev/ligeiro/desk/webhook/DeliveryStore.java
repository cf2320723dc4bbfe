package dev.ligeiro.desk.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Sorts.ascending;
import static com.mongodb.client.model.Sorts.descending;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Projections;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryUpdates;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.StatusFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/**
 * The deliveries of endpoints, in the order of their transactions, the newest first. A page reads at most 300 of them, however many the
 * endpoint has: with a status other than {@code delivered} by the index of those, otherwise by {@code _id}.
 */
@Component
public class DeliveryStore {

    /** Read for a page of {@code delivered}: an endpoint with few delivered ones gives short pages. A delivery has up to 12 kB. */
    private static final int READ_MAX = 300;

    private static final int OF_TRANSACTION_MAX = 200;

    /** Counted up to this number, from the index alone: 3 ms. */
    private static final int COUNT_MAX = 10_000;

    private static final Bson BY_STATUS = ascending(STATUS, ID);
    private static final Function<BsonDocument, Stream<StoredDelivery>> DECODE =
            DecodeEach.of(CollectionNames.DELIVERIES, StoredDelivery::read);

    private final MongoCollection<BsonDocument> deliveries;

    DeliveryStore(MongoTemplate mongo) {
        this.deliveries = mongo.getDb().getCollection(CollectionNames.DELIVERIES, BsonDocument.class);
    }

    /** A page of an endpoint's deliveries; null stands for all statuses, all transactions, the first page. */
    Slice<StoredDelivery> page(
            UUID endpointId,
            @Nullable StatusFilter status,
            @Nullable TransactionId transaction,
            @Nullable DeliveryId after) {
        int max = status == StatusFilter.DELIVERED ? READ_MAX : Slice.ITEMS_MAX;
        Bson range = and(eq(ENDPOINT, endpointId), eq(ID, DeliveryCodec.range(endpointId, transaction, after)));
        List<BsonDocument> read = (status == null || status == StatusFilter.DELIVERED
                        ? deliveries.find(range).hint(ascending(ID))
                        : deliveries
                                .find(and(in(STATUS, status.statuses()), range))
                                .hint(BY_STATUS))
                .sort(descending(ID))
                .projection(Projections.exclude(BODY))
                .limit(max + 1)
                .into(new ArrayList<>());
        List<StoredDelivery> items = new ArrayList<>();
        int looked = 0;
        while (looked < Math.min(max, read.size()) && items.size() < Slice.ITEMS_MAX) {
            DECODE.apply(read.get(looked++))
                    .filter(each -> status == null || status.statuses().contains(each.status()))
                    .forEach(items::add);
        }
        String next = looked == read.size()
                ? null
                : DeliveryId.of(read.get(looked - 1).getBinary(ID).getData()).text();
        return new Slice<>(items, next);
    }

    /** Up to 200 deliveries of a transaction to these endpoints. */
    public List<StoredDelivery> ofTransaction(Collection<UUID> endpointIds, TransactionId transaction) {
        return endpointIds.isEmpty()
                ? List.of()
                : read(find(endpointIds, transaction).limit(OF_TRANSACTION_MAX));
    }

    /** Up to {@code max} of them, by endpoint; null stands for one that cannot be decoded. */
    public List<@Nullable StoredDelivery> ofTransaction(
            Collection<UUID> endpointIds, TransactionId transaction, int max) {
        List<@Nullable StoredDelivery> found = new ArrayList<>();
        if (!endpointIds.isEmpty()) {
            find(endpointIds, transaction)
                    .sort(descending(ID))
                    .projection(Projections.exclude(BODY))
                    .limit(max)
                    .forEach(each -> found.add(DECODE.apply(each).findFirst().orElse(null)));
        }
        return found;
    }

    private FindIterable<BsonDocument> find(Collection<UUID> endpointIds, TransactionId transaction) {
        List<Bson> ranges = endpointIds.stream()
                .map(endpoint -> eq(ID, DeliveryCodec.range(endpoint, transaction, null)))
                .toList();
        return deliveries.find(and(in(ENDPOINT, endpointIds), or(ranges))).hint(ascending(ID));
    }

    Optional<StoredDelivery> find(DeliveryId id) {
        return read(deliveries.find(DeliveryCodec.filter(id))).stream().findFirst();
    }

    /** Up to 100 scheduled ones, those first whose next attempt is farthest away: they have been attempted most often. */
    List<StoredDelivery> retried(UUID endpointId) {
        return read(scheduled(endpointId).sort(descending(NEXT_ATTEMPT_AT)).limit(Slice.ITEMS_MAX));
    }

    private static List<StoredDelivery> read(FindIterable<BsonDocument> found) {
        return found.projection(Projections.exclude(BODY)).into(new ArrayList<>()).stream()
                .flatMap(DECODE)
                .toList();
    }

    /** Those with a time: without one, a malformed delivery would be the first. */
    private FindIterable<BsonDocument> scheduled(UUID endpointId) {
        return deliveries.find(and(
                eq(STATUS, DeliveryStatus.SCHEDULED.code()),
                eq(ENDPOINT, endpointId),
                gt(NEXT_ATTEMPT_AT, Instant.EPOCH)));
    }

    /** The number of the endpoint's deliveries with one of the filter's statuses, all but {@code delivered}; at most 10,000. */
    long count(UUID endpointId, StatusFilter filter) {
        CountOptions options =
                new CountOptions().hint(BY_STATUS).comment(AllShards.OPERATOR).limit(COUNT_MAX);
        Bson range = eq(ID, DeliveryCodec.range(endpointId, null, null));
        long sum = filter.statuses().stream()
                .mapToLong(status -> deliveries.countDocuments(and(eq(STATUS, status), range), options))
                .sum();
        return Math.min(sum, COUNT_MAX);
    }

    /** Schedules the delivery before all others of its endpoint; changes nothing while an attempt may be running. */
    void scheduleFirst(StoredDelivery delivery, Instant now) {
        UUID endpointId = delivery.id().endpointId();
        boolean isTest = delivery.eventType().equals(TestEvent.TYPE);
        deliveries.updateOne(
                DeliveryUpdates.free(delivery.id(), now),
                DeliveryUpdates.scheduled(
                        beforeAll(endpointId, now),
                        UUID.randomUUID(),
                        isTest ? TestEvent.payload(endpointId, delivery.eventAt()) : null));
    }

    /** The delivery of a new test event, before all others of the endpoint. */
    DeliveryId insertTest(UUID endpointId, Instant now) {
        Delivery delivery = TestEvent.delivery(endpointId, now, beforeAll(endpointId, now));
        deliveries
                .withDocumentClass(Delivery.class)
                .withCodecRegistry(CodecRegistries.fromCodecs(new DeliveryCodec()))
                .insertOne(delivery);
        return delivery.id();
    }

    /**
     * A time, {@code now} at the latest, that is before the next attempts of all the endpoint's deliveries: the dispatcher attempts what is due
     * longest first, so a person that asks for one delivery does not wait for a backlog.
     */
    private Instant beforeAll(UUID endpointId, Instant now) {
        BsonDocument first =
                scheduled(endpointId).sort(ascending(NEXT_ATTEMPT_AT)).first();
        Instant before = first == null
                ? now
                : Instant.ofEpochMilli(first.getDateTime(NEXT_ATTEMPT_AT).getValue() - 1);
        return before.isBefore(now) ? before : now;
    }
}
