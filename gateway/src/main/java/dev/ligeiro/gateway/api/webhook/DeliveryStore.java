package dev.ligeiro.gateway.api.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Filters.or;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryUpdates;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.StatusFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The deliveries of one endpoint: lists them, schedules them again, and stores those of test events.
 *
 * <p>A list reads them newest first, by ranges of {@code _id}. A page reads at most 300 deliveries, however many the endpoint
 * has: with a status other than {@code delivered} by the index of those, which holds no delivered ones; otherwise by {@code _id}, where most
 * deliveries match.
 */
@Component
public class DeliveryStore {

    /** Read for a page of {@code delivered}: an endpoint with few delivered ones gives short pages. A delivery has up to 12 kB. */
    private static final int READ_MAX = 300;

    private static final Bson NEWEST_FIRST = Sorts.descending(ID);

    private static final Bson WITHOUT_PAYLOADS = Projections.exclude(BODY);
    private static final Bson WITHOUT_ATTEMPTS = Projections.exclude(BODY, ATTEMPTS, RESPONSES);

    private static final String SCHEDULED = DeliveryStatus.SCHEDULED.code();
    /** The endpoint in a filter is for sharded clusters; the id alone finds the delivery. */
    private static final UpdateOptions BY_ID = new UpdateOptions().hint(Indexes.ascending(ID));

    /** Without a time, a malformed delivery would be the first one. */
    private static final Bson HAS_TIME = gt(NEXT_ATTEMPT_AT, new Date(0));

    private final DecodeEach decode;
    private final MongoCollection<RawBsonDocument> deliveries;
    private final MongoCollection<Document> written;
    private final MongoCollection<Delivery> inserted;

    /** @param reads for the lists, which may take long */
    DeliveryStore(LongReads reads, MongoDatabase database, DecodeEach decode) {
        this.decode = decode;
        this.deliveries = reads.database().getCollection(CollectionNames.DELIVERIES, RawBsonDocument.class);
        this.written = database.getCollection(CollectionNames.DELIVERIES);
        this.inserted = database.getCollection(CollectionNames.DELIVERIES, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()));
    }

    /**
     * A stored delivery at its place in the list.
     *
     * @param delivery null if its document cannot be decoded
     */
    record Row(DeliveryId id, @Nullable StoredDelivery delivery) {}

    /**
     * A page of an endpoint's deliveries.
     *
     * @param status null for all
     * @param transaction null for those of all transactions
     * @param after null for the first page
     */
    Mono<Page<StoredDelivery>> page(
            UUID endpointId,
            @Nullable StatusFilter status,
            @Nullable TransactionId transaction,
            @Nullable DeliveryId after) {
        int max = status == StatusFilter.DELIVERED ? READ_MAX : Page.ITEMS_MAX;
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
    private static Page<StoredDelivery> pageOf(List<Row> found, int readMax, @Nullable StatusFilter filter) {
        List<StoredDelivery> items = new ArrayList<>();
        int looked = 0;
        while (looked < Math.min(readMax, found.size()) && items.size() < Page.ITEMS_MAX) {
            StoredDelivery each = found.get(looked).delivery();
            looked++;
            if (each != null && (filter == null || filter.statuses().contains(each.status()))) {
                items.add(each);
            }
        }
        return new Page<>(
                items,
                looked == found.size() ? null : found.get(looked - 1).id().text());
    }

    /** Up to {@code max} deliveries of a transaction to these endpoints, by endpoint; null stands for one that cannot be decoded. */
    public Mono<List<@Nullable StoredDelivery>> ofTransaction(
            Collection<UUID> endpointIds, TransactionId transaction, int max) {
        if (endpointIds.isEmpty()) {
            return Mono.just(List.of());
        }
        List<BsonBinary> shards =
                endpointIds.stream().map(TransactionCodec::binary).toList();
        List<Bson> ranges = endpointIds.stream()
                .map(endpoint -> eq(ID, DeliveryCodec.range(endpoint, transaction, null)))
                .toList();
        return Flux.from(deliveries
                        .find(and(in(ENDPOINT, shards), or(ranges)))
                        .hint(Indexes.ascending(ID))
                        .sort(NEWEST_FIRST)
                        .projection(WITHOUT_PAYLOADS)
                        .limit(max)
                        .batchSize(max))
                .map(this::row)
                .collectList()
                .map(rows -> rows.stream()
                        .<@Nullable StoredDelivery>map(Row::delivery)
                        .toList());
    }

    /** Up to {@code max} deliveries that follow {@code position} in the list of its endpoint, without their payloads and attempts. */
    Mono<List<Row>> after(DeliveryId position, StatusFilter status, int max) {
        return read(position.endpointId(), status, null, position, WITHOUT_ATTEMPTS, max);
    }

    Mono<StoredDelivery> find(DeliveryId id) {
        return Mono.from(deliveries.find(DeliveryCodec.filter(id)).projection(WITHOUT_PAYLOADS))
                .map(StoredDelivery::read);
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
        return new Row(id, decode.orNull(CollectionNames.DELIVERIES, id, () -> StoredDelivery.read(document)));
    }

    /**
     * A time, {@code now} at the latest, that is before the next attempts of all the endpoint's deliveries: the dispatcher attempts what is
     * due longest first, so a merchant that asks for one delivery does not wait for a backlog. One look in the dispatcher's index.
     */
    Mono<Instant> beforeAll(UUID endpointId, Instant now) {
        return Mono.from(written.find(
                                and(eq(STATUS, SCHEDULED), eq(ENDPOINT, TransactionCodec.binary(endpointId)), HAS_TIME))
                        .projection(Projections.include(NEXT_ATTEMPT_AT))
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(1))
                .map(first -> first.getDate(NEXT_ATTEMPT_AT).toInstant().minusMillis(1))
                .filter(now::isAfter)
                .defaultIfEmpty(now);
    }

    /**
     * Schedules the delivery for {@code at}. Changes nothing while an attempt may be running. That is possible if the delivery is due, or
     * if it has no attempt yet: a first attempt runs while {@code nextAttemptAt} is still in the future.
     *
     * @param payload null if the dispatcher can build it from the stored transaction
     * @return empty, also if there is no such delivery
     */
    Mono<Void> schedule(DeliveryId id, Instant at, Instant now, byte @Nullable [] payload) {
        return Mono.from(written.updateOne(
                        DeliveryUpdates.free(id, now),
                        DeliveryUpdates.scheduled(at, UUID.randomUUID(), payload),
                        BY_ID))
                .then();
    }

    /**
     * Schedules those of {@code ids} that still have one of the statuses and that the replay has not scheduled before: after a crash it may
     * come to them again when they have ended once more.
     *
     * @return their number
     */
    Mono<Long> scheduleAll(List<DeliveryId> ids, Set<String> statuses, UUID replayId, Instant now) {
        BsonBinary replay = TransactionCodec.binary(replayId);
        Bson ended = and(
                DeliveryCodec.filter(ids),
                in(STATUS, statuses),
                ne(REPLAY, replay),
                exists(ATTEMPTS + "." + (DeliveryController.ATTEMPTS_MAX - 1), false));
        return Mono.from(written.updateMany(ended, DeliveryUpdates.scheduled(now, replayId, null), BY_ID))
                .map(UpdateResult::getModifiedCount);
    }

    Mono<Void> insert(Delivery delivery) {
        return Mono.from(inserted.insertOne(delivery)).then();
    }
}
