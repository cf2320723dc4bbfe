package dev.ligeiro.processor.due;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds transactions by three partial indexes of the gateway: those that are due, those with an unknown outcome, and those that wait for
 * approval. Every query reads at most as many index keys as it returns or counts, and only {@link #due} and {@link #oldestUnsettled} read
 * the transactions too. Fails before the indexes exist.
 */
@Component
class DueStore {

    /** A larger number is reported as this one. */
    static final int COUNT_MAX = 10_000;

    private static final int BAD_VALUE = 2;

    private static final Logger LOG = LoggerFactory.getLogger(DueStore.class);

    private static final UpdateOptions BY_ID = new UpdateOptions().hint(Indexes.ascending(TransactionFields.ID));
    private static final UpdateOptions OF_ANY_TENANT =
            new UpdateOptions().hint(Indexes.ascending(TransactionFields.ID)).comment(AllShards.SWEEP);

    private final MongoCollection<BsonDocument> transactions;

    DueStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
    }

    /**
     * Checks of the first {@code max} transactions that are due at {@code time} or before, the earliest due time first. One whose id or
     * tenant cannot be read is logged and postponed: it would stay the first one, and no pass would get beyond it.
     */
    Mono<List<TransactionCommand.DueCheck>> due(Instant time, int max) {
        return Flux.from(first(TransactionFields.DUE, Filters.lte(TransactionFields.DUE, Date.from(time)), max)
                        .projection(Projections.include(TransactionFields.TENANT)))
                .collect(Collectors.partitioningBy(DueStore::isReadable))
                .flatMap(found -> setAside(found.getOrDefault(false, List.of()), time)
                        .thenReturn(found.getOrDefault(true, List.of()).stream()
                                .map(one -> check(one, time))
                                .toList()));
    }

    private static boolean isReadable(BsonDocument due) {
        return due.isInt64(TransactionFields.TENANT)
                && due.getInt64(TransactionFields.TENANT).getValue() >= 0
                && due.isBinary(TransactionFields.ID)
                && due.getBinary(TransactionFields.ID).getType() == BsonBinarySubType.UUID_STANDARD.getValue();
    }

    private static TransactionCommand.DueCheck check(BsonDocument due, Instant time) {
        return new TransactionCommand.DueCheck(
                new Tenant(due.getInt64(TransactionFields.TENANT).getValue()),
                new TransactionId(StoredValues.uuid(due, TransactionFields.ID)),
                time);
    }

    private Mono<Void> setAside(List<BsonDocument> unreadable, Instant time) {
        if (unreadable.isEmpty()) {
            return Mono.empty();
        }
        List<BsonValue> ids = unreadable.stream()
                .map(one -> Objects.requireNonNull(one.get(TransactionFields.ID)))
                .toList();
        LOG.atError()
                .addKeyValue("event.action", "due_unreadable")
                .addKeyValue("transactions", ids.size())
                .addKeyValue("first_id", ids.get(0))
                .log("Transactions that are due have no readable id or tenant in MongoDB; their due work is not done");
        return postpone(Filters.in(TransactionFields.ID, ids), time, DispatchDue.AGAIN_AFTER, OF_ANY_TENANT);
    }

    /**
     * Moves the due times of those transactions that are still due at {@code time}, in the index only, to {@code pause} after now on
     * MongoDB's clock: by that of a processor which is days ahead they would be found days late.
     */
    Mono<Void> postpone(List<TransactionCommand.DueCheck> checks, Instant time, Duration pause) {
        if (checks.isEmpty()) {
            return Mono.empty();
        }
        List<BsonBinary> ids = checks.stream()
                .map(check -> TransactionCodec.binary(check.transactionId().value()))
                .toList();
        Set<BsonInt64> tenants = checks.stream()
                .map(check -> TransactionCodec.tenant(check.tenant()))
                .collect(Collectors.toSet());
        return postpone(
                Filters.and(Filters.in(TransactionFields.ID, ids), Filters.in(TransactionFields.TENANT, tenants)),
                time,
                pause,
                BY_ID);
    }

    private Mono<Void> postpone(Bson which, Instant time, Duration pause, UpdateOptions options) {
        return Mono.from(transactions.updateMany(
                        Filters.and(which, Filters.lte(TransactionFields.DUE, Date.from(time))),
                        List.of(new BsonDocument(
                                "$set",
                                new BsonDocument(
                                        TransactionFields.DUE,
                                        new BsonDocument(
                                                "$add",
                                                new BsonArray(List.of(
                                                        new BsonString("$$NOW"), new BsonInt64(pause.toMillis()))))))),
                        options))
                .then();
    }

    /** The transactions that were due before this time. */
    Mono<Waiting> dueBefore(Instant time) {
        return waiting(TransactionFields.DUE, time);
    }

    /** The transactions with a rail call whose outcome has been unknown since before this time. */
    Mono<Waiting> unsettledSinceBefore(Instant time) {
        return waiting(TransactionFields.UNSETTLED_SINCE, time);
    }

    /** The cashouts that were waiting for approval before this time. */
    Mono<Waiting> unapprovedBefore(Instant time) {
        return waiting(TransactionFields.APPROVAL_SINCE, time);
    }

    /** The transactions with an unknown outcome, the longest unknown first. */
    Flux<Unsettled> oldestUnsettled(int max) {
        return Flux.from(
                        first(TransactionFields.UNSETTLED_SINCE, Filters.exists(TransactionFields.UNSETTLED_SINCE), max)
                                .projection(
                                        Projections.include(TransactionFields.UNSETTLED_SINCE, TransactionFields.RAIL)))
                .map(found -> new Unsettled(
                        StoredValues.instant(found, TransactionFields.UNSETTLED_SINCE),
                        StoredValues.text(found, TransactionFields.RAIL)));
    }

    private Mono<Waiting> waiting(String field, Instant before) {
        Bson filter = Filters.lt(field, Date.from(before));
        return Mono.from(transactions.countDocuments(
                        filter,
                        new CountOptions().limit(COUNT_MAX).hint(index(field)).comment(AllShards.SWEEP)))
                .zipWith(Flux.from(first(field, filter, 1))
                        .map(found -> StoredValues.instant(found, field))
                        .next()
                        .defaultIfEmpty(before))
                .map(found -> new Waiting(found.getT1().intValue(), found.getT2()));
    }

    private FindPublisher<BsonDocument> first(String field, Bson filter, int max) {
        return transactions
                .find(filter)
                .hint(index(field))
                .sort(index(field))
                .projection(Projections.include(field, TransactionFields.ID))
                .limit(max)
                .batchSize(max)
                .comment(AllShards.SWEEP);
    }

    private static Bson index(String field) {
        return Indexes.ascending(field, TransactionFields.ID);
    }

    /** Whether a query has failed because the gateway has not created the index yet. Without it, each pass would read all transactions. */
    static boolean isIndexMissing(Throwable failure) {
        return failure instanceof MongoCommandException refused && refused.getErrorCode() == BAD_VALUE;
    }

    /**
     * @param count at most {@value COUNT_MAX}
     * @param oldest the earliest time of them
     */
    record Waiting(int count, Instant oldest) {

        /** The age of the oldest; zero without one. */
        Duration age(Instant now) {
            return count == 0 ? Duration.ZERO : Duration.between(oldest, now);
        }
    }

    /** A transaction with an outcome that has been unknown since this time, and the name of its rail. */
    record Unsettled(Instant since, String rail) {}
}
