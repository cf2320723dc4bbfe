package dev.ligeiro.dispatcher.delivery;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The deliveries in MongoDB; this service owns the collection. Every write uses write concern majority with journal, because Kafka
 * offsets are committed after it.
 */
@Component
public class DeliveryStore {

    private static final int DUPLICATE_KEY = 11000;
    private static final long RETENTION_DAYS = 30;
    /** Building an index over stored deliveries takes longer than the limit of other operations. */
    private static final long INDEX_MINUTES_MAX = 10;

    private static final Bson SCHEDULED = eq(STATUS, DeliveryStatus.SCHEDULED.code());

    private final MongoCollection<Delivery> deliveries;

    DeliveryStore(MongoDatabase database) {
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()));
    }

    /**
     * Creates the collection's indexes; idempotent. {@code due} is a partial index of the scheduled deliveries by due time,
     * {@code ended} deletes deliveries 30 days after their end. Scheduled ones have no end, so it never deletes them.
     */
    public Mono<Void> createIndexes() {
        IndexModel due = new IndexModel(
                Indexes.ascending(NEXT_ATTEMPT_AT),
                new IndexOptions().name("due").partialFilterExpression(SCHEDULED));
        IndexModel ended = new IndexModel(
                Indexes.ascending(ENDED_AT),
                new IndexOptions().name("ended").sparse(true).expireAfter(RETENTION_DAYS, TimeUnit.DAYS));
        return Flux.from(deliveries
                        .withTimeout(INDEX_MINUTES_MAX, TimeUnit.MINUTES)
                        .createIndexes(List.of(due, ended)))
                .then();
    }

    /**
     * Inserts new deliveries in one unordered bulk. A delivery that is already stored stays unchanged.
     *
     * @return the number of deliveries that were already stored
     */
    public Mono<Integer> insert(List<Delivery> made) {
        if (made.isEmpty()) {
            return Mono.just(0);
        }
        return Mono.defer(() -> Mono.from(deliveries.insertMany(made, new InsertManyOptions().ordered(false))))
                .map(result -> 0)
                .onErrorResume(MongoBulkWriteException.class, DeliveryStore::duplicates);
    }

    private static Mono<Integer> duplicates(MongoBulkWriteException failure) {
        boolean onlyDuplicates = failure.getWriteConcernError() == null
                && failure.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
        return onlyDuplicates ? Mono.just(failure.getWriteErrors().size()) : Mono.error(failure);
    }

    /** The deliveries due at {@code now}, earliest due time first: one range scan of the partial index. */
    public Mono<List<DeliveryId>> due(Instant now, int limit) {
        return Flux.from(deliveries
                        .find(dueAt(now), BsonDocument.class)
                        .projection(Projections.include(ID))
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(limit))
                .map(document -> DeliveryId.of(document.getBinary(ID).getData()))
                .collectList();
    }

    /** The number of deliveries due at {@code now}, at most {@code max}; costs about 0.6 µs each. */
    public Mono<Long> countDue(Instant now, int max) {
        return Mono.from(deliveries.countDocuments(dueAt(now), new CountOptions().limit(max)));
    }

    /**
     * Claims those of {@code ids} that are still due. Each document is updated by compare-and-set, so only one process gets a
     * delivery.
     *
     * @param claim a new random token, which fences later writes
     * @param leaseEnd the time at which an uncompleted delivery is due again
     * @return the claimed deliveries
     */
    public Mono<List<Delivery>> claim(Collection<DeliveryId> ids, UUID claim, Instant leaseEnd, Instant now) {
        if (ids.isEmpty()) {
            return Mono.just(List.of());
        }
        Bson withIds = idIn(ids);
        Bson take = combine(set(NEXT_ATTEMPT_AT, Date.from(leaseEnd)), set(CLAIM, TransactionCodec.binary(claim)));
        return Mono.from(deliveries.updateMany(and(withIds, dueAt(now)), take))
                .then(Flux.from(deliveries.find(and(withIds, eq(CLAIM, TransactionCodec.binary(claim)))))
                        .collectList());
    }

    /** Moves the due time of those of {@code ids} that are still due to {@code until}, without using a step of their schedule. */
    public Mono<Void> postpone(Collection<DeliveryId> ids, Instant until, Instant now) {
        if (ids.isEmpty()) {
            return Mono.empty();
        }
        Bson later = combine(set(NEXT_ATTEMPT_AT, Date.from(until)), unset(CLAIM));
        return Mono.from(deliveries.updateMany(and(idIn(ids), dueAt(now)), later))
                .then();
    }

    /**
     * Writes {@code completions} in one unordered bulk, each only if the stored claim is still the completion's.
     *
     * @return the number of completions written
     */
    public Mono<Integer> complete(List<Completion> completions, Instant now) {
        List<UpdateOneModel<Delivery>> updates =
                completions.stream().map(completion -> update(completion, now)).toList();
        return Mono.defer(() -> Mono.from(deliveries.bulkWrite(updates, new BulkWriteOptions().ordered(false))))
                .map(result -> result.getMatchedCount());
    }

    private static UpdateOneModel<Delivery> update(Completion completion, Instant now) {
        Bson held = and(
                eq(ID, DeliveryCodec.binary(completion.id())), eq(CLAIM, TransactionCodec.binary(completion.claim())));
        List<Bson> changes = new ArrayList<>();
        changes.add(unset(CLAIM));
        if (completion.attempt() != null) {
            changes.add(push(ATTEMPTS, DeliveryCodec.document(completion.attempt())));
        }
        Instant nextAttemptAt = completion.state().nextAttemptAt();
        if (nextAttemptAt != null) {
            changes.add(set(NEXT_ATTEMPT_AT, Date.from(nextAttemptAt)));
        } else {
            changes.add(set(STATUS, completion.state().status().code()));
            changes.add(set(ENDED_AT, Date.from(now)));
            changes.add(unset(NEXT_ATTEMPT_AT));
            changes.add(unset(ENDPOINT));
            changes.add(unset(BODY));
        }
        return new UpdateOneModel<>(held, combine(changes));
    }

    private static Bson dueAt(Instant now) {
        return and(SCHEDULED, lte(NEXT_ATTEMPT_AT, Date.from(now)));
    }

    private static Bson idIn(Collection<DeliveryId> ids) {
        List<BsonBinary> binaries = ids.stream().map(DeliveryCodec::binary).toList();
        return in(ID, binaries);
    }
}
