package dev.ligeiro.processor.archive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.not;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads, removes and inserts the transactions of a month, of all tenants, in the order of their ids. */
@Component
class MonthTransactionStore {

    private static final int DUPLICATE_KEY = 11_000;
    private static final Bson BY_ID = Indexes.ascending(TransactionFields.ID);
    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hint(BY_ID);
    private static final List<List<String>> UNIQUE_FIELDS = List.of(
            List.of(TransactionFields.REFERENCE),
            List.of(TransactionFields.IDEMPOTENCY_KEYS),
            List.of(TransactionFields.REFERENCE, TransactionFields.IDEMPOTENCY_KEYS));

    private final MongoCollection<RawBsonDocument> transactions;
    private final MongoCollection<BsonDocument> redactions;
    private final MongoCollection<BsonDocument> unmatched;
    private final MongoCollection<BsonDocument> merchants;

    MonthTransactionStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.redactions = database.getCollection(CollectionNames.REDACTIONS, BsonDocument.class);
        this.unmatched = database.getCollection(CollectionNames.UNMATCHED_PAYMENTS, BsonDocument.class);
        this.merchants = database.getCollection(CollectionNames.MERCHANTS, BsonDocument.class);
    }

    /** The month of the oldest transaction that was created at this month's beginning or later; empty without one. */
    Mono<YearMonth> first(YearMonth from) {
        return read(gte(TransactionFields.ID, TransactionCodec.binary(ArchiveFields.lowest(from))), 1, true)
                .next()
                .map(found -> ArchiveFields.month(new TransactionId(id(found))));
    }

    /** Up to {@code max} transactions of a month, after this id. */
    Flux<RawBsonDocument> next(YearMonth month, @Nullable UUID after, int max) {
        Bson range = range(TransactionFields.ID, month);
        return read(
                after == null ? range : and(range, gt(TransactionFields.ID, TransactionCodec.binary(after))),
                max,
                false);
    }

    private Flux<RawBsonDocument> read(Bson condition, int max, boolean onlyIds) {
        var found = transactions
                .find(condition)
                .hint(BY_ID)
                .sort(Sorts.ascending(TransactionFields.ID))
                .limit(max)
                .comment(AllShards.SWEEP);
        return Flux.from(onlyIds ? found.projection(Projections.include(TransactionFields.ID)) : found);
    }

    private static Bson range(String field, YearMonth month) {
        return and(
                gte(field, TransactionCodec.binary(ArchiveFields.lowest(month))),
                lt(field, TransactionCodec.binary(ArchiveFields.lowest(month.plusMonths(1)))));
    }

    static UUID id(RawBsonDocument transaction) {
        return StoredValues.uuid(transaction, TransactionFields.ID);
    }

    /**
     * Something that keeps a month in MongoDB.
     *
     * @param transaction the first one with the reason; null if it is not known
     */
    record Kept(String reason, @Nullable UUID transaction) {}

    /** What indexes show of what keeps a month; empty if they show nothing. */
    Mono<Kept> kept(YearMonth month, Instant now) {
        Mono<Kept> personalData = Mono.from(redactions
                        .find(range(RedactionFields.ID, month))
                        .sort(Sorts.ascending(RedactionFields.ID))
                        .limit(1))
                .map(found -> new Kept(
                        Optional.ofNullable(StoredValues.optionalText(found, RedactionFields.REASON))
                                .orElse(ArchiveRules.PERSONAL_DATA),
                        StoredValues.uuid(found, RedactionFields.ID)));
        Mono<Kept> payment = Mono.from(unmatched
                        .find(and(
                                range(UnmatchedPaymentFields.TRANSACTION_ID, month),
                                not(exists(UnmatchedPaymentFields.RESOLVED))))
                        .hint(Indexes.ascending(UnmatchedPaymentFields.TRANSACTION_ID))
                        .limit(1))
                .map(found -> new Kept(
                        ArchiveRules.UNMATCHED_PAYMENT,
                        StoredValues.uuid(found, UnmatchedPaymentFields.TRANSACTION_ID)));
        return personalData.switchIfEmpty(payment).switchIfEmpty(ofRetention(month, now));
    }

    /** A transaction of a merchant whose own days of retention end later than others'. */
    private Mono<Kept> ofRetention(YearMonth month, Instant now) {
        long days = Duration.between(Instant.ofEpochMilli(ArchiveFields.firstMilli(month.plusMonths(1))), now)
                .toDays();
        return Flux.from(merchants
                        .find(gt("retentionDays", Math.toIntExact(days)))
                        .projection(Projections.include("number")))
                .map(found -> found.getNumber("number").longValue())
                .concatMapIterable(number -> Arrays.stream(Mode.values())
                        .map(mode -> Tenant.of(number, mode))
                        .toList())
                .concatMap(tenant -> Mono.from(transactions
                        .find(and(eq(TransactionFields.TENANT, tenant.key()), range(TransactionFields.ID, month)))
                        .hint(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID))
                        .limit(1)))
                .next()
                .map(found -> new Kept(ArchiveRules.PERSONAL_DATA, id(found)));
    }

    /**
     * Removes those of these transactions that are stored with exactly these bytes.
     *
     * @param archived as they were read from a file
     * @return how many were removed, and the first one that is stored with other bytes
     */
    Mono<Removed> remove(List<RawBsonDocument> archived) {
        return stored(archived).flatMap(stored -> {
            UUID changed = archived.stream()
                    .filter(one -> stored.containsKey(id(one)) && !isSame(one, stored.get(id(one))))
                    .map(MonthTransactionStore::id)
                    .findFirst()
                    .orElse(null);
            List<DeleteOneModel<RawBsonDocument>> same = stored.values().stream()
                    .filter(one -> changed == null)
                    .map(MonthTransactionStore::removal)
                    .toList();
            return same.isEmpty()
                    ? Mono.just(new Removed(0, false, changed))
                    : Mono.from(transactions.bulkWrite(same, new BulkWriteOptions().ordered(false)))
                            .map(result -> new Removed(
                                    result.getDeletedCount(), result.getDeletedCount() < same.size(), null));
        });
    }

    /**
     * @param isPartial whether one has changed while it was to be removed, so that the next try finds it changed
     * @param changed null if none is stored with other bytes; otherwise nothing was removed
     */
    record Removed(int number, boolean isPartial, @Nullable UUID changed) {}

    private Mono<Map<UUID, RawBsonDocument>> stored(List<RawBsonDocument> archived) {
        Set<BsonValue> tenants =
                archived.stream().map(one -> one.get(TransactionFields.TENANT)).collect(Collectors.toSet());
        return Flux.from(transactions
                        .find(and(
                                in(
                                        TransactionFields.ID,
                                        archived.stream()
                                                .map(one -> one.get(TransactionFields.ID))
                                                .toList()),
                                in(TransactionFields.TENANT, tenants)))
                        .hint(BY_ID)
                        .batchSize(archived.size() + 1))
                .collectMap(MonthTransactionStore::id, Function.identity());
    }

    private static boolean isSame(RawBsonDocument one, @Nullable RawBsonDocument other) {
        return other != null
                && one.getByteBuffer().asNIO().equals(other.getByteBuffer().asNIO());
    }

    private static DeleteOneModel<RawBsonDocument> removal(RawBsonDocument stored) {
        return new DeleteOneModel<>(
                and(
                        eq(TransactionFields.ID, stored.get(TransactionFields.ID)),
                        eq(TransactionFields.TENANT, stored.get(TransactionFields.TENANT)),
                        eq(TransactionFields.VERSION, stored.get(TransactionFields.VERSION))),
                DELETE_BY_ID);
    }

    /**
     * Inserts those of these transactions that are not stored. If another transaction has got the reference or a key of one meanwhile, that one
     * is inserted without it.
     *
     * @return how many were inserted without a reference or key
     */
    Mono<Long> insert(List<RawBsonDocument> archived) {
        return stored(archived).flatMap(stored -> {
            List<RawBsonDocument> missing = archived.stream()
                    .filter(one -> !stored.containsKey(id(one)))
                    .toList();
            return missing.isEmpty()
                    ? Mono.just(0L)
                    : Mono.from(transactions.insertMany(missing, new InsertManyOptions().ordered(false)))
                            .thenReturn(0L)
                            .onErrorResume(
                                    MongoBulkWriteException.class,
                                    failure -> isKeyTaken(failure)
                                            ? Flux.fromIterable(failed(missing, failure))
                                                    .concatMap(this::insertWithoutKeys)
                                                    .count()
                                            : Mono.error(failure));
        });
    }

    private static boolean isKeyTaken(MongoBulkWriteException failure) {
        return failure.getWriteConcernError() == null
                && failure.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
    }

    private static List<RawBsonDocument> failed(List<RawBsonDocument> inserted, MongoBulkWriteException failure) {
        Set<Integer> indexes = new HashSet<>();
        failure.getWriteErrors().forEach(error -> indexes.add(error.getIndex()));
        return indexes.stream().sorted().map(inserted::get).toList();
    }

    private Mono<RawBsonDocument> insertWithoutKeys(RawBsonDocument transaction) {
        return Flux.fromIterable(UNIQUE_FIELDS)
                .concatMap(fields -> {
                    BsonDocument without = transaction.decode(new org.bson.codecs.BsonDocumentCodec());
                    fields.forEach(without::remove);
                    return Mono.from(transactions
                                    .withDocumentClass(BsonDocument.class)
                                    .insertOne(without))
                            .thenReturn(true)
                            .onErrorResume(
                                    MongoWriteException.class,
                                    failure -> failure.getError().getCode() == DUPLICATE_KEY
                                            ? Mono.just(false)
                                            : Mono.error(failure));
                })
                .filter(inserted -> inserted)
                .next()
                .switchIfEmpty(stored(List.of(transaction))
                        .flatMap(stored -> stored.isEmpty()
                                ? Mono.error(
                                        new IllegalStateException(id(transaction) + " (expected: stored without keys)"))
                                : Mono.just(true)))
                .thenReturn(transaction);
    }
}
