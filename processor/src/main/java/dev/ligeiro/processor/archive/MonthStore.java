package dev.ligeiro.processor.archive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.max;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.store.ArchivedCount;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Codes;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How far each month is, its files, and the counts that are kept of it. A change of a month names the state and the generation that it follows
 * from, so it is not made if operators, or another processor, have changed them meanwhile.
 */
@Component
class MonthStore {

    private static final int DUPLICATE_KEY = 11_000;
    /** Of one write. */
    private static final int COUNTS = 1_000;

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final Bson WORK = eq(ArchiveFields.ID, ArchiveFields.WORK);
    private static final Bson NOTHING_REMOVED = exists(ArchiveFields.REMOVING, false);

    private static final String ID = "_id";
    private static final String MONTH = "m";
    private static final String GENERATION = "g";
    private static final String NUMBER = "n";
    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final String TRANSACTIONS = "transactions";
    private static final String BYTES = "bytes";
    private static final String SHA256 = "sha256";
    private static final String STATUSES = "statuses";

    private final MongoCollection<BsonDocument> months;
    private final MongoCollection<BsonDocument> parts;
    private final MongoCollection<BsonDocument> counts;
    private final MongoCollection<BsonDocument> leases;

    MonthStore(MongoDatabase database) {
        this.months = database.getCollection(CollectionNames.ARCHIVED_MONTHS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.parts = database.getCollection(CollectionNames.ARCHIVED_PARTS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.counts = database.getCollection(CollectionNames.ARCHIVED_COUNTS, BsonDocument.class);
        this.leases = database.getCollection(CollectionNames.LEASES, BsonDocument.class);
    }

    /**
     * A month with a document.
     *
     * @param part the last file that is finished
     * @param parts the number of files; 0 before they are complete, as are their transactions
     * @param isRemoving whether MongoDB may lack transactions of it
     * @param due when to look again, while it waits
     * @param isAltered whether one of its files was refused
     */
    record Month(
            YearMonth month,
            State state,
            int generation,
            int part,
            int parts,
            long transactions,
            boolean isRemoving,
            @Nullable Instant due,
            @Nullable Instant archivedAt,
            @Nullable Instant removedAt,
            boolean again,
            boolean isAltered) {

        /** The name of a file of its folder. */
        String file(String name) {
            return ArchivedPart.folder(month, generation) + "/" + name;
        }
    }

    /** The oldest first. */
    Flux<Month> months() {
        return Flux.from(months.find().sort(Sorts.ascending(ID))).map(MonthStore::month);
    }

    /** As it is stored by now. */
    Mono<Month> stored(Month month) {
        return Mono.from(months.find(eq(ID, month.month.toString()))).map(MonthStore::month);
    }

    private static Month month(BsonDocument found) {
        return new Month(
                YearMonth.parse(StoredValues.text(found, ID)),
                Codes.get(State.class, StoredValues.text(found, ArchiveFields.STATE)),
                found.getInt32(ArchiveFields.GENERATION).getValue(),
                found.getInt32(ArchiveFields.PART, new BsonInt32(0)).getValue(),
                found.getInt32(ArchiveFields.PARTS, new BsonInt32(0)).getValue(),
                found.getInt64(ArchiveFields.TRANSACTIONS, new BsonInt64(0)).getValue(),
                found.containsKey(ArchiveFields.REMOVING),
                StoredValues.optionalInstant(found, ArchiveFields.DUE),
                StoredValues.optionalInstant(found, ArchiveFields.ARCHIVED_AT),
                StoredValues.optionalInstant(found, ArchiveFields.REMOVED_AT),
                found.containsKey(ArchiveFields.AGAIN),
                found.containsKey(ArchiveFields.ALTERED_FILE));
    }

    /** Begins the files of a month without a document. Fails if it has one by now. */
    Mono<Month> begin(YearMonth month) {
        BsonDocument begun = new BsonDocument(ID, new BsonString(month.toString()))
                .append(ArchiveFields.STATE, new BsonString(State.EXPORTING.code()))
                .append(ArchiveFields.GENERATION, new BsonInt32(1))
                .append(ArchiveFields.PART, new BsonInt32(0));
        return Mono.from(months.insertOne(begun)).thenReturn(month(begun)).flatMap(this::beginAnew);
    }

    /** Begins the files of a month that waits, new ones if it was archived before. Fails if it does not wait by now. */
    Mono<Month> begin(Month waiting) {
        return change(
                        waiting,
                        NOTHING_REMOVED,
                        combine(
                                set(ArchiveFields.STATE, State.EXPORTING.code()),
                                set(
                                        ArchiveFields.GENERATION,
                                        waiting.generation + (waiting.archivedAt == null ? 0 : 1)),
                                set(ArchiveFields.PART, 0),
                                unset(ArchiveFields.REASON),
                                unset(ArchiveFields.TRANSACTION_ID),
                                unset(ArchiveFields.DUE),
                                unset(ArchiveFields.PARTS),
                                unset(ArchiveFields.TRANSACTIONS),
                                unset(ArchiveFields.BYTES),
                                unset(ArchiveFields.ARCHIVED_AT),
                                unset(ArchiveFields.REMOVED_AT),
                                unset(ArchiveFields.RESTORED_AT),
                                unset(ArchiveFields.AGAIN),
                                unset(ArchiveFields.KEYS_TAKEN),
                                unset(ArchiveFields.ALTERED_FILE)))
                .then(Mono.defer(() -> stored(waiting)))
                .flatMap(this::beginAnew);
    }

    /** What an earlier try has written counts no more. Fails if a file of this one is finished. */
    Mono<Month> beginAnew(Month exporting) {
        return change(exporting, eq(ArchiveFields.PART, 0), set(ArchiveFields.PART, 0))
                .then(Mono.defer(() -> Mono.from(parts.deleteMany(ofMonth(exporting)))))
                .then(Mono.defer(() -> Mono.from(counts.deleteMany(and(
                        gte(ID, new BsonDocument(MONTH, new BsonString(exporting.month.toString()))),
                        lt(
                                ID,
                                new BsonDocument(
                                        MONTH,
                                        new BsonString(
                                                exporting.month.plusMonths(1).toString()))))))))
                .thenReturn(exporting);
    }

    /** Fails if the month has another state or generation by now. */
    private Mono<Void> change(Month before, Bson change) {
        return change(before, new BsonDocument(), change);
    }

    private Mono<Void> change(Month before, Bson condition, Bson change) {
        return Mono.from(months.updateOne(and(same(before), condition), change))
                .flatMap(result -> result.getMatchedCount() == 1
                        ? Mono.empty()
                        : Mono.error(new IllegalStateException(
                                before.month + " (expected: still " + before.state.code() + ")")));
    }

    private static Bson same(Month month) {
        return and(
                eq(ID, month.month.toString()),
                eq(ArchiveFields.STATE, month.state.code()),
                eq(ArchiveFields.GENERATION, month.generation));
    }

    /**
     * All its transactions are in MongoDB, and its files are written again. Fails if one may be removed by now.
     *
     * @param transaction the first one with the reason; null if it is not known
     */
    Mono<Void> waits(Month month, String reason, @Nullable UUID transaction, Instant due) {
        return change(
                month,
                NOTHING_REMOVED,
                combine(
                        set(ArchiveFields.STATE, State.WAITING.code()),
                        set(ArchiveFields.REASON, reason),
                        transaction == null
                                ? unset(ArchiveFields.TRANSACTION_ID)
                                : set(ArchiveFields.TRANSACTION_ID, TransactionCodec.binary(transaction)),
                        set(ArchiveFields.DUE, Date.from(due)),
                        set(ArchiveFields.PART, 0)));
    }

    /** A month without transactions needs no document. */
    Mono<Void> forget(Month month) {
        return Mono.from(months.deleteOne(same(month))).then();
    }

    /** The files of a month, after the first {@code after} ones, in their order. */
    Flux<ArchivedPart> parts(Month month, int after) {
        return Flux.from(parts.find(and(ofMonth(month), gt(ID, id(month, after))))
                        .sort(Sorts.ascending(ID)))
                .map(MonthStore::part);
    }

    private static Bson ofMonth(Month month) {
        return and(gt(ID, id(month, 0)), lt(ID, id(month, Integer.MAX_VALUE)));
    }

    private static BsonDocument id(Month month, int number) {
        return new BsonDocument(MONTH, new BsonString(month.month.toString()))
                .append(GENERATION, new BsonInt32(month.generation))
                .append(NUMBER, new BsonInt32(number));
    }

    private static ArchivedPart part(BsonDocument found) {
        Map<String, Long> statuses = new TreeMap<>();
        found.getDocument(STATUSES)
                .forEach((status, count) -> statuses.put(status, count.asInt64().getValue()));
        return new ArchivedPart(
                found.getDocument(ID).getInt32(NUMBER).getValue(),
                StoredValues.uuid(found, FIRST),
                StoredValues.uuid(found, LAST),
                found.getInt64(TRANSACTIONS).getValue(),
                found.getInt64(BYTES).getValue(),
                StoredValues.text(found, SHA256),
                statuses);
    }

    /** Notes a file that was written. It is not finished before {@link #done}. */
    Mono<Void> insert(Month month, ArchivedPart part) {
        BsonDocument statuses = new BsonDocument();
        part.statuses().forEach((status, count) -> statuses.append(status, new BsonInt64(count)));
        return Mono.from(parts.insertOne(new BsonDocument(ID, id(month, part.number()))
                        .append(FIRST, TransactionCodec.binary(part.first()))
                        .append(LAST, TransactionCodec.binary(part.last()))
                        .append(TRANSACTIONS, new BsonInt64(part.transactions()))
                        .append(BYTES, new BsonInt64(part.bytes()))
                        .append(SHA256, new BsonString(part.sha256()))
                        .append(STATUSES, statuses)))
                .then();
    }

    Mono<Void> remove(Month month, ArchivedPart part) {
        return Mono.from(parts.deleteOne(eq(ID, id(month, part.number())))).then();
    }

    /** A file is finished in the present state of the month. */
    Mono<Void> done(Month month, ArchivedPart part) {
        return change(month, max(ArchiveFields.PART, part.number()));
    }

    /**
     * Adds the transactions of a file to the counts that are kept. Repeated for the same file, it adds nothing.
     *
     * @param added by the id of a document: what to add to its numbers, by the names of their fields
     */
    Mono<Void> count(ArchivedPart part, Map<BsonDocument, Map<String, Long>> added) {
        return Flux.fromIterable(added.entrySet())
                .map(one -> {
                    List<Bson> changes = new ArrayList<>();
                    one.getValue().forEach((field, number) -> changes.add(inc(field, number)));
                    changes.add(set(ArchivedCount.PART, part.number()));
                    return new UpdateOneModel<BsonDocument>(
                            and(eq(ID, one.getKey()), lt(ArchivedCount.PART, part.number())), combine(changes), UPSERT);
                })
                .buffer(COUNTS)
                .concatMap(this::write)
                .then();
    }

    private Mono<Void> write(List<UpdateOneModel<BsonDocument>> updates) {
        return Mono.from(counts.bulkWrite(updates, UNORDERED))
                .then()
                // a document has this file already, so the upsert has tried to insert a second one
                .onErrorResume(
                        MongoBulkWriteException.class,
                        failure -> failure.getWriteConcernError() == null
                                        && failure.getWriteErrors().stream()
                                                .allMatch(error -> error.getCode() == DUPLICATE_KEY)
                                ? Mono.empty()
                                : Mono.error(failure));
    }

    /** The files are complete and verified. From now on gateways take the month as archived. */
    Mono<Void> archived(Month month, int files, long transactions, long bytes, Instant at) {
        return change(
                month,
                combine(
                        set(ArchiveFields.STATE, State.ARCHIVED.code()),
                        set(ArchiveFields.PART, 0),
                        set(ArchiveFields.PARTS, files),
                        set(ArchiveFields.TRANSACTIONS, transactions),
                        set(ArchiveFields.BYTES, bytes),
                        set(ArchiveFields.ARCHIVED_AT, Date.from(at))));
    }

    /** Its files may be the only copy from now on. */
    Mono<Void> removing(Month month) {
        return change(month, set(ArchiveFields.REMOVING, true));
    }

    Mono<Void> removed(Month month, Instant at) {
        return change(month, set(ArchiveFields.REMOVED_AT, Date.from(at)));
    }

    /** A transaction has changed since it was written to a file: all come back, and the month is archived again later. */
    Mono<Void> bringBack(Month month, UUID changed) {
        return change(
                month,
                combine(
                        set(ArchiveFields.STATE, State.RESTORING.code()),
                        set(ArchiveFields.PART, 0),
                        set(ArchiveFields.AGAIN, true),
                        set(ArchiveFields.TRANSACTION_ID, TransactionCodec.binary(changed))));
    }

    /** @param due when it is archived again; null: when operators ask for it */
    Mono<Void> restored(Month month, @Nullable Instant due, Instant at) {
        return change(
                month,
                combine(
                        set(ArchiveFields.STATE, (due == null ? State.RESTORED : State.WAITING).code()),
                        set(ArchiveFields.PART, 0),
                        set(ArchiveFields.RESTORED_AT, Date.from(at)),
                        unset(ArchiveFields.REMOVING),
                        unset(ArchiveFields.ALTERED_FILE),
                        due == null
                                ? unset(ArchiveFields.DUE)
                                : combine(
                                        set(ArchiveFields.DUE, Date.from(due)),
                                        set(ArchiveFields.REASON, ArchiveRules.CHANGED))));
    }

    /** A file was refused. */
    Mono<Void> altered(Month month, State next, String file) {
        return change(month, combine(set(ArchiveFields.STATE, next.code()), set(ArchiveFields.ALTERED_FILE, file)));
    }

    /** Transactions came back without a reference or key. */
    Mono<Void> keysTaken(Month month, long number) {
        return number == 0 ? Mono.empty() : change(month, inc(ArchiveFields.KEYS_TAKEN, number));
    }

    /** Whether operators have paused the work. */
    Mono<Boolean> isPaused() {
        return Mono.from(leases.find(and(WORK, eq(ArchiveFields.PAUSED, true)))).hasElement();
    }

    /** Shows operators the settings, and that the work goes on. */
    Mono<Void> works(ArchiveProperties properties, Instant at) {
        return Mono.from(leases.updateOne(
                        WORK,
                        combine(
                                set(ArchiveFields.AT, Date.from(at)),
                                set(ArchiveFields.TO, properties.to()),
                                properties.months() == null
                                        ? unset(ArchiveFields.MONTHS)
                                        : set(ArchiveFields.MONTHS, properties.months())),
                        UPSERT))
                .then();
    }
}
