package dev.ligeiro.dispatcher.delivery;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.ligeiro.dispatcher.delivery.DeliveryFields.*;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
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
import dev.ligeiro.store.TransactionCodec;
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
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The deliveries in MongoDB, whose collection this service owns. Every write is acknowledged by a majority and journaled: what is
 * written here is what Kafka's offsets are committed for.
 */
@Component
public class DeliveryStore {

    private static final int DUPLICATE_KEY = 11000;
    private static final long KEPT_DAYS = 30;
    private static final Bson SCHEDULED = eq(STATUS, DeliveryStatus.SCHEDULED.code());

    private final Mono<MongoCollection<Delivery>> collection;

    DeliveryStore(ReactiveMongoDatabaseFactory mongo) {
        this.collection = mongo.getMongoDatabase().map(database -> database.getCollection(COLLECTION, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()))
                .withReadPreference(ReadPreference.primary())
                .withWriteConcern(WriteConcern.MAJORITY.withJournal(true)));
    }

    /**
     * Creates the collection's indexes, as often as one likes: what is due, which holds only what is scheduled, and the end of a
     * delivery's 30 days. An endpoint's deliveries are listed by {@code _id}.
     */
    public Mono<Void> createIndexes() {
        IndexModel due = new IndexModel(
                Indexes.ascending(NEXT_ATTEMPT_AT),
                new IndexOptions().name("due").partialFilterExpression(SCHEDULED));
        IndexModel kept = new IndexModel(
                Indexes.ascending(CREATED_AT), new IndexOptions().name("kept").expireAfter(KEPT_DAYS, TimeUnit.DAYS));
        return collection
                .flatMapMany(deliveries -> deliveries.createIndexes(List.of(due, kept)))
                .then();
    }

    /**
     * Writes new deliveries, in one unordered bulk. One that is stored already stays as it is, whatever is written here.
     *
     * @return how many of them were stored already
     */
    public Mono<Integer> insert(List<Delivery> deliveries) {
        if (deliveries.isEmpty()) {
            return Mono.just(0);
        }
        return collection
                .flatMap(stored -> Mono.from(stored.insertMany(deliveries, new InsertManyOptions().ordered(false))))
                .map(result -> 0)
                .onErrorResume(MongoBulkWriteException.class, DeliveryStore::duplicates);
    }

    private static Mono<Integer> duplicates(MongoBulkWriteException failure) {
        boolean onlyDuplicates = failure.getWriteConcernError() == null
                && failure.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
        return onlyDuplicates ? Mono.just(failure.getWriteErrors().size()) : Mono.error(failure);
    }

    /** What is due at {@code now}, the longest due first: one range of the partial index. */
    public Mono<List<DeliveryId>> due(Instant now, int limit) {
        return collection
                .flatMapMany(deliveries -> deliveries
                        .find(dueAt(now), BsonDocument.class)
                        .projection(Projections.include(ID))
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(limit))
                .map(document -> DeliveryId.of(document.getBinary(ID).getData()))
                .collectList();
    }

    /** How many are due at {@code now}, counted up to {@code max}: about 0.6 µs each. */
    public Mono<Long> countDue(Instant now, int max) {
        return collection.flatMap(
                deliveries -> Mono.from(deliveries.countDocuments(dueAt(now), new CountOptions().limit(max))));
    }

    /**
     * Takes those of {@code ids} that are still due, each by a compare-and-set of its own: two processes never both get one.
     *
     * @param claim new and random: the fencing token of what is taken
     * @param leaseEnd when what is taken is due again unless it has been completed
     * @return what this process holds now
     */
    public Mono<List<Delivery>> claim(Collection<DeliveryId> ids, UUID claim, Instant leaseEnd, Instant now) {
        if (ids.isEmpty()) {
            return Mono.just(List.of());
        }
        Bson among = amongst(ids);
        Bson take = combine(set(NEXT_ATTEMPT_AT, Date.from(leaseEnd)), set(CLAIM, TransactionCodec.binary(claim)));
        return collection.flatMap(deliveries -> Mono.from(deliveries.updateMany(and(among, dueAt(now)), take))
                .then(Flux.from(deliveries.find(and(among, eq(CLAIM, TransactionCodec.binary(claim)))))
                        .collectList()));
    }

    /** Makes those of {@code ids} that are still due wait until {@code until}; no step of their schedule is used up. */
    public Mono<Void> postpone(Collection<DeliveryId> ids, Instant until, Instant now) {
        if (ids.isEmpty()) {
            return Mono.empty();
        }
        Bson later = combine(set(NEXT_ATTEMPT_AT, Date.from(until)), unset(CLAIM));
        return collection
                .flatMap(deliveries -> Mono.from(deliveries.updateMany(and(amongst(ids), dueAt(now)), later)))
                .then();
    }

    /**
     * Writes {@code completions}, in one unordered bulk, each only if its claim still holds.
     *
     * @return how many held
     */
    public Mono<Integer> complete(List<Completion> completions) {
        List<UpdateOneModel<Delivery>> updates =
                completions.stream().map(DeliveryStore::update).toList();
        return collection
                .flatMap(deliveries -> Mono.from(deliveries.bulkWrite(updates, new BulkWriteOptions().ordered(false))))
                .map(result -> result.getMatchedCount());
    }

    private static UpdateOneModel<Delivery> update(Completion completion) {
        Bson held = and(
                eq(ID, DeliveryCodec.binary(completion.id())), eq(CLAIM, TransactionCodec.binary(completion.claim())));
        List<Bson> changes = new ArrayList<>();
        changes.add(unset(CLAIM));
        if (completion.attempt() != null) {
            changes.add(push(ATTEMPTS, DeliveryCodec.document(completion.attempt())));
        }
        Instant nextAttemptAt = completion.verdict().nextAttemptAt();
        if (nextAttemptAt != null) {
            changes.add(set(NEXT_ATTEMPT_AT, Date.from(nextAttemptAt)));
        } else {
            changes.add(set(STATUS, completion.verdict().status().code()));
            changes.add(unset(NEXT_ATTEMPT_AT));
            changes.add(unset(BODY));
        }
        return new UpdateOneModel<>(held, combine(changes));
    }

    private static Bson dueAt(Instant now) {
        return and(SCHEDULED, lte(NEXT_ATTEMPT_AT, Date.from(now)));
    }

    private static Bson amongst(Collection<DeliveryId> ids) {
        List<BsonBinary> binaries = ids.stream().map(DeliveryCodec::binary).toList();
        return in(ID, binaries);
    }
}
