package dev.ligeiro.gateway.delivery;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.delivery.StoredDelivery.StoredAttempt;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.webhook.DeliveryId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the deliveries of one endpoint, newest first, by ranges of {@code _id}. A page reads at most 1,000 deliveries, however many the
 * endpoint has: with a status other than {@code delivered} by the index of those, which holds no delivered ones; otherwise by
 * {@code _id}, where most deliveries match.
 */
@Component
class DeliveryListStore {

    /** The reads of a page for {@code delivered}: an endpoint with few delivered ones gives short pages. */
    private static final int READ_MAX = 1_000;

    private static final Bson NEWEST_FIRST = Sorts.descending(ID);

    private final MongoCollection<Document> deliveries;

    DeliveryListStore(MongoDatabase database) {
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES);
    }

    Mono<DeliveryPage> page(DeliveryQuery query) {
        StatusFilter status = query.status();
        int max = status == StatusFilter.DELIVERED ? READ_MAX : DeliveryPage.ITEMS_MAX;
        // one more tells whether a page follows
        return Flux.from(find(query).limit(max + 1).batchSize(max + 1))
                .map(DeliveryListStore::read)
                .collectList()
                .map(found -> found.size() <= max
                        ? DeliveryPage.of(found, true, status)
                        : DeliveryPage.of(found.subList(0, max), false, status));
    }

    /**
     * What a step of a replay has read.
     *
     * @param looked the number of deliveries
     * @param matching those that the replay sends again
     * @param next where the next step begins; null after the last one
     */
    record Step(int looked, List<DeliveryId> matching, @Nullable DeliveryId next) {}

    /** Reads up to 1,000 deliveries after the replay's position. */
    Mono<Step> step(Replay replay) {
        DeliveryQuery query =
                new DeliveryQuery(replay.endpointId(), replay.request().status(), replay.position());
        return Flux.from(find(query)
                        .projection(Projections.include(ID, STATUS, EVENT_AT))
                        .limit(READ_MAX)
                        .batchSize(READ_MAX))
                .collectList()
                .map(found -> step(found, replay.request()));
    }

    private static Step step(List<Document> found, ReplayRequest request) {
        List<DeliveryId> matching = found.stream()
                .filter(document -> request.status().statuses().contains(document.getString(STATUS)))
                .filter(document -> request.includes(document.getDate(EVENT_AT).toInstant()))
                .map(DeliveryListStore::id)
                .toList();
        boolean isLast = found.size() < READ_MAX;
        return new Step(found.size(), matching, isLast ? null : id(found.get(found.size() - 1)));
    }

    Mono<StoredDelivery> find(DeliveryId id) {
        return Mono.from(deliveries.find(eq(ID, DeliveryCodec.binary(id))).projection(Projections.exclude(BODY)))
                .map(DeliveryListStore::read);
    }

    private FindPublisher<Document> find(DeliveryQuery query) {
        StatusFilter status = query.status();
        Bson range = range(query.endpointId(), query.after());
        return status == null || status == StatusFilter.DELIVERED
                ? find(range, Indexes.ascending(ID))
                : find(and(in(STATUS, status.statuses()), range), Indexes.ascending(STATUS, ID));
    }

    private FindPublisher<Document> find(Bson filter, Bson index) {
        return deliveries.find(filter).hint(index).sort(NEWEST_FIRST).projection(Projections.exclude(BODY));
    }

    /** All ids have the same length, so MongoDB compares their bytes. */
    private static Bson range(UUID endpointId, @Nullable DeliveryId after) {
        Bson upper = after == null ? lte(ID, bound(endpointId, (byte) 0xFF)) : lt(ID, DeliveryCodec.binary(after));
        return and(gte(ID, bound(endpointId, (byte) 0)), upper);
    }

    /** The endpoint's id, then {@code filler} up to the length of a delivery's id. */
    private static BsonBinary bound(UUID endpointId, byte filler) {
        byte[] bytes = new byte[DeliveryId.LENGTH];
        Arrays.fill(bytes, filler);
        ByteBuffer.wrap(bytes)
                .putLong(endpointId.getMostSignificantBits())
                .putLong(endpointId.getLeastSignificantBits());
        return new BsonBinary(bytes);
    }

    private static StoredDelivery read(Document document) {
        return new StoredDelivery(
                id(document),
                document.getString(EVENT_TYPE),
                document.getDate(EVENT_AT).toInstant(),
                document.getString(STATUS),
                instant(document, NEXT_ATTEMPT_AT),
                document.getList(ATTEMPTS, Document.class, List.of()).stream()
                        .map(DeliveryListStore::attempt)
                        .toList());
    }

    private static DeliveryId id(Document document) {
        return DeliveryId.of(document.get(ID, Binary.class).getData());
    }

    private static StoredAttempt attempt(Document document) {
        return new StoredAttempt(
                document.getDate(AT).toInstant(),
                document.getString(OUTCOME),
                document.getInteger(STATUS_CODE),
                document.get(DURATION_MS, Number.class).longValue());
    }

    private static @Nullable Instant instant(Document document, String field) {
        return document.getDate(field) == null ? null : document.getDate(field).toInstant();
    }
}
