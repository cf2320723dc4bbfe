package dev.ligeiro.processor.archive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.max;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Codes;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Date;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How far each month is. A change names the state and the generation that it follows from, so it is not made if operators, or another processor,
 * have changed them meanwhile.
 */
@Component
class MonthStore {

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final Bson ANY = new BsonDocument();
    private static final Bson NOTHING_REMOVED = exists(ArchiveFields.REMOVING, false);

    private final MongoCollection<BsonDocument> months;
    private final MongoCollection<BsonDocument> leases;

    MonthStore(MongoDatabase database) {
        this.months = database.getCollection(CollectionNames.ARCHIVED_MONTHS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.leases = database.getCollection(CollectionNames.LEASES, BsonDocument.class);
    }

    /**
     * A month with a document.
     *
     * @param part the last file that is finished
     * @param parts the number of files; 0 before they are complete, as are their transactions
     * @param isRemoving whether MongoDB may lack transactions of it
     * @param due when to look again, while it waits
     * @param again whether it is archived again after its return
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
            return month + (generation == 1 ? "" : "-" + generation) + "/" + name;
        }
    }

    /** The oldest first. */
    Flux<Month> all() {
        return Flux.from(months.find().sort(Sorts.ascending(ArchiveFields.ID))).map(MonthStore::month);
    }

    /** As it is stored by now. */
    Mono<Month> stored(Month month) {
        return Mono.from(months.find(eq(ArchiveFields.ID, month.month.toString())))
                .map(MonthStore::month);
    }

    private static Month month(BsonDocument found) {
        return new Month(
                YearMonth.parse(StoredValues.text(found, ArchiveFields.ID)),
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

    private static BsonDocument begun(YearMonth month, int generation) {
        return new BsonDocument(ArchiveFields.ID, new BsonString(month.toString()))
                .append(ArchiveFields.STATE, new BsonString(State.EXPORTING.code()))
                .append(ArchiveFields.GENERATION, new BsonInt32(generation))
                .append(ArchiveFields.PART, new BsonInt32(0));
    }

    /** Begins the files of a month without a document. Fails if it has one by now. */
    Mono<Month> begin(YearMonth month) {
        BsonDocument begun = begun(month, 1);
        return Mono.from(months.insertOne(begun)).thenReturn(month(begun));
    }

    /** Begins the files of a month that waits, new ones if it was archived before. Fails if it does not wait by now. */
    Mono<Month> begin(Month waiting) {
        BsonDocument begun = begun(waiting.month, waiting.generation + (waiting.archivedAt == null ? 0 : 1));
        return required(waiting, months.replaceOne(and(same(waiting), NOTHING_REMOVED), begun))
                .thenReturn(month(begun));
    }

    /** Fails if a file of the month is finished by now. */
    Mono<Void> requireNoPart(Month exporting) {
        return change(exporting, eq(ArchiveFields.PART, 0), set(ArchiveFields.PART, 0));
    }

    private Mono<Void> change(Month before, Bson condition, Bson change) {
        return required(before, months.updateOne(and(same(before), condition), change));
    }

    /** Fails if the month has another state or generation by now. */
    private static Mono<Void> required(Month before, Publisher<UpdateResult> change) {
        return Mono.from(change)
                .flatMap(result -> result.getMatchedCount() == 1
                        ? Mono.empty()
                        : Mono.error(new IllegalStateException(
                                before.month + " (expected: still " + before.state.code() + ")")));
    }

    private static Bson same(Month month) {
        return and(
                eq(ArchiveFields.ID, month.month.toString()),
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

    /** A file is finished in the present state of the month. */
    Mono<Void> done(Month month, ArchivedPart part) {
        return change(month, ANY, max(ArchiveFields.PART, part.number()));
    }

    /** The files are complete and verified. From now on gateways take the month as archived. */
    Mono<Void> archived(Month month, Manifest manifest, Instant at) {
        return change(
                month,
                ANY,
                combine(
                        set(ArchiveFields.STATE, State.ARCHIVED.code()),
                        set(ArchiveFields.PART, 0),
                        set(ArchiveFields.PARTS, manifest.parts().size()),
                        set(ArchiveFields.TRANSACTIONS, manifest.transactions()),
                        set(ArchiveFields.BYTES, manifest.bytes()),
                        set(ArchiveFields.ARCHIVED_AT, Date.from(at))));
    }

    /** Its files may be the only copy from now on. */
    Mono<Void> removing(Month month) {
        return change(month, ANY, set(ArchiveFields.REMOVING, true));
    }

    Mono<Void> removed(Month month, Instant at) {
        return change(month, ANY, set(ArchiveFields.REMOVED_AT, Date.from(at)));
    }

    /** A transaction has changed since it was written to a file: all come back, and the month is archived again later. */
    Mono<Void> bringBack(Month month, UUID changed) {
        return change(
                month,
                ANY,
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
                ANY,
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
        return change(
                month, ANY, combine(set(ArchiveFields.STATE, next.code()), set(ArchiveFields.ALTERED_FILE, file)));
    }

    /** Transactions came back without a reference or key. */
    Mono<Void> keysTaken(Month month, long number) {
        return number == 0 ? Mono.empty() : change(month, ANY, inc(ArchiveFields.KEYS_TAKEN, number));
    }

    /** Shows operators the settings, and that the work goes on. */
    Mono<Void> works(ArchiveProperties properties, Instant at) {
        return Mono.from(leases.updateOne(
                        eq(ArchiveFields.ID, ArchiveFields.WORK),
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
