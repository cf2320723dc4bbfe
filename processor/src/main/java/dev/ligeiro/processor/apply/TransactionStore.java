package dev.ligeiro.processor.apply;

import static dev.ligeiro.store.TransactionFields.DUE;
import static dev.ligeiro.store.TransactionFields.HISTORY;
import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.IDEMPOTENCY_KEYS;
import static dev.ligeiro.store.TransactionFields.OPEN_CALLS;
import static dev.ligeiro.store.TransactionFields.STATUS;
import static dev.ligeiro.store.TransactionFields.TENANT;
import static dev.ligeiro.store.TransactionFields.UNACCEPTED;
import static dev.ligeiro.store.TransactionFields.UNSETTLED_SINCE;
import static dev.ligeiro.store.TransactionFields.VERSION;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.decide.Change;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EntryBson;
import dev.ligeiro.store.OpenCallBson;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.OpenCall;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The transactions in MongoDB. Writing a batch is one bulk, followed by a read only if a change was not made. Reads and writes use
 * majority, writes are journaled, so every reported state is durable. Faults of the server or the network are
 * {@link TransientFault}s.
 */
@Component
public class TransactionStore {

    /** The random id of the bulk that took the latest submission; only read by the process of that bulk. */
    private static final String SUBMITTER = "submitter";

    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final int DUPLICATE_KEY = 11_000;
    /** Error codes caused by one document: BadValue, TypeMismatch, DocumentValidationFailure, BSONObjectTooLarge. */
    private static final Set<Integer> FAULTS_OF_ONE_DOCUMENT = Set.of(2, 14, 121, 10334, 17419);

    /**
     * The driver retries only statements of one document, so the store retries the bulk. The retry uses the same submitter: this
     * process may submit a cashout that the first attempt had moved.
     */
    private static final Retry RETRY_ONCE_AFTER_FAILOVER =
            Retry.max(1).filter(TransactionStore::isFailover).onRetryExhaustedThrow((retry, last) -> last.failure());

    private final MongoCollection<RawBsonDocument> transactions;

    TransactionStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                // an event must not announce a state that a failover can roll back
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /** The stored transactions among {@code ids}, by one query. */
    public Mono<Map<TransactionId, Transaction>> load(Collection<TransactionId> ids) {
        return find(ids).map(found -> {
            Map<TransactionId, Transaction> loaded = new HashMap<>();
            found.forEach((id, document) -> loaded.put(id, document.decode(CODEC)));
            return loaded;
        });
    }

    /**
     * Writes {@code changes}, at most one per transaction, in one unordered bulk.
     *
     * @return the changes that were not made. A change that an identical earlier call has made counts as made
     */
    public Mono<Conflicts> write(List<Change> changes) {
        if (changes.isEmpty()) {
            return Mono.just(Conflicts.NONE);
        }
        BsonBinary submitter = TransactionCodec.binary(UUID.randomUUID());
        return Mono.defer(() -> Mono.from(transactions.bulkWrite(updates(changes, submitter), UNORDERED)))
                .retryWhen(RETRY_ONCE_AFTER_FAILOVER)
                .flatMap(result -> result.getMatchedCount() == changes.size()
                        ? Mono.just(Conflicts.NONE)
                        : conflicts(changes, submitter, Set.of()))
                .onErrorResume(
                        MongoBulkWriteException.class,
                        partly -> hasOnlyDuplicateKeys(partly)
                                ? keysTaken(changes, partly).flatMap(taken -> conflicts(changes, submitter, taken))
                                : Mono.error(partly))
                .onErrorMap(MongoException.class, TransactionStore::classified);
    }

    private static boolean hasOnlyDuplicateKeys(MongoBulkWriteException partly) {
        return partly.getWriteConcernError() == null
                && !partly.getWriteErrors().isEmpty()
                && partly.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
    }

    /**
     * Only an idempotency key can be taken: updates set no other unique field. The driver does not tell which key it was, so the keys of
     * the failed statements are read.
     */
    private Mono<Set<String>> keysTaken(List<Change> changes, MongoBulkWriteException partly) {
        List<SameChange> statements =
                changes.stream().map(SameChange::of).distinct().toList();
        Set<SameChange> failed = partly.getWriteErrors().stream()
                .map(error -> statements.get(error.getIndex()))
                .collect(Collectors.toSet());
        Set<BsonString> keys = failed.stream().flatMap(SameChange::newKeys).collect(Collectors.toSet());
        BsonArray taken = changes.stream()
                .filter(change -> failed.contains(SameChange.of(change)))
                .map(TransactionStore::isKeyOfAnother)
                .collect(Collectors.toCollection(BsonArray::new));
        return Flux.from(transactions.find(new BsonDocument("$or", taken)))
                .flatMapIterable(document -> document.getArray(IDEMPOTENCY_KEYS))
                .filter(keys::contains)
                .map(key -> key.asString().getValue())
                .collect(Collectors.toSet());
    }

    /** Finds the other transactions of the tenant that have a key which {@code change} adds. */
    private static BsonDocument isKeyOfAnother(Change change) {
        BsonArray keys = SameChange.of(change).newKeys().collect(Collectors.toCollection(BsonArray::new));
        return new BsonDocument(TENANT, new BsonInt64(change.before().tenant().key()))
                .append(IDEMPOTENCY_KEYS, new BsonDocument("$in", keys))
                .append(
                        ID,
                        new BsonDocument(
                                "$ne", TransactionCodec.binary(change.id().value())));
    }

    /** A bulk reports the number of matches, not the documents, so all of its transactions are read. */
    private Mono<Conflicts> conflicts(List<Change> changes, BsonBinary submitter, Set<String> keysTaken) {
        return find(changes.stream().map(Change::id).toList()).map(found -> {
            Map<TransactionId, Optional<Transaction>> conflicts = new HashMap<>();
            for (Change change : changes) {
                RawBsonDocument document = found.get(change.id());
                if (document == null) {
                    conflicts.put(change.id(), Optional.empty());
                } else if (!isMade(change, document, submitter)) {
                    conflicts.put(change.id(), Optional.of(document.decode(CODEC)));
                }
            }
            return new Conflicts(conflicts, keysTaken);
        });
    }

    private Mono<Map<TransactionId, RawBsonDocument>> find(Collection<TransactionId> ids) {
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        BsonArray keys = ids.stream()
                .map(id -> TransactionCodec.binary(id.value()))
                .collect(Collectors.toCollection(BsonArray::new));
        return Flux.from(transactions
                        .find(new BsonDocument(ID, new BsonDocument("$in", keys)))
                        .batchSize(ids.size()))
                .onErrorMap(MongoException.class, TransactionStore::classified)
                .collectMap(document -> new TransactionId(document.getBinary(ID).asUuid()));
    }

    /**
     * Whether the stored state is that of the change. For a change that takes a submission the stored submitter must also be this
     * call's, because another process may have made the same change.
     */
    private static boolean isMade(Change change, RawBsonDocument document, BsonBinary submitter) {
        Transaction stored = document.decode(CODEC);
        return stored.equals(change.after())
                && (!change.takesSubmission() || submitter.equals(document.get(SUBMITTER)));
    }

    /**
     * Groups equal changes of transactions in the same state into one statement, as most changes of a batch are equal. MongoDB plans
     * it once, which saves about a third of its CPU per statement, and still compares and sets each document separately.
     */
    private static List<UpdateManyModel<RawBsonDocument>> updates(List<Change> changes, BsonBinary submitter) {
        Map<SameChange, BsonArray> ids = new LinkedHashMap<>();
        for (Change change : changes) {
            ids.computeIfAbsent(SameChange.of(change), same -> new BsonArray())
                    .add(TransactionCodec.binary(change.id().value()));
        }
        return ids.entrySet().stream()
                .map(same -> new UpdateManyModel<RawBsonDocument>(
                        same.getKey().filter(same.getValue()), same.getKey().modification(submitter)))
                .toList();
    }

    /** The common part of the changes in one statement: expected state and new state. */
    private record SameChange(
            int version,
            boolean accepted,
            boolean accepts,
            int newVersion,
            Status status,
            List<Entry> newEntries,
            List<OpenCall> openCalls,
            @Nullable Instant dueAt,
            @Nullable Instant unsettledSince,
            boolean keepsDueWork,
            boolean takesSubmission) {

        static SameChange of(Change change) {
            Transaction before = change.before();
            Transaction after = change.after();
            return new SameChange(
                    before.version(),
                    before.accepted(),
                    after.accepted() && !before.accepted(),
                    after.version(),
                    after.status(),
                    change.newEntries(),
                    after.openCalls(),
                    after.dueAt(),
                    after.unsettledSince(),
                    before.openCalls().equals(after.openCalls())
                            && Objects.equals(before.dueAt(), after.dueAt())
                            && Objects.equals(before.unsettledSince(), after.unsettledSince()),
                    change.takesSubmission());
        }

        BsonDocument filter(BsonArray ids) {
            BsonDocument filter =
                    new BsonDocument(ID, new BsonDocument("$in", ids)).append(VERSION, new BsonInt32(version));
            // an acceptance alone does not change the version
            return accepted ? filter : filter.append(UNACCEPTED, BsonBoolean.TRUE);
        }

        BsonDocument modification(BsonBinary submitter) {
            BsonDocument set = new BsonDocument();
            BsonDocument unset = new BsonDocument();
            BsonDocument push = new BsonDocument();
            if (newVersion != version) {
                set.append(VERSION, new BsonInt32(newVersion));
            }
            if (!newEntries.isEmpty()) {
                set.append(STATUS, new BsonString(status.code()));
                push.append(HISTORY, each(newEntries, EntryBson::write));
                List<BsonString> keys = newKeys().toList();
                if (!keys.isEmpty()) {
                    push.append(IDEMPOTENCY_KEYS, new BsonDocument("$each", new BsonArray(keys)));
                }
            }
            if (!keepsDueWork) {
                setDueWork(set, unset);
            }
            if (takesSubmission) {
                set.append(SUBMITTER, submitter);
            }
            if (accepts) {
                unset.append(UNACCEPTED, BsonBoolean.TRUE);
            }
            BsonDocument modification = new BsonDocument();
            appendIfNotEmpty(modification, "$set", set);
            appendIfNotEmpty(modification, "$unset", unset);
            appendIfNotEmpty(modification, "$push", push);
            return modification;
        }

        Stream<BsonString> newKeys() {
            return newEntries.stream()
                    .flatMap(entry -> Stream.ofNullable(entry.idempotencyKey()))
                    .map(BsonString::new);
        }

        private void setDueWork(BsonDocument set, BsonDocument unset) {
            if (openCalls.isEmpty()) {
                unset.append(OPEN_CALLS, BsonBoolean.TRUE);
            } else {
                set.append(OPEN_CALLS, array(openCalls, OpenCallBson::write));
            }
            setOrUnset(DUE, dueAt, set, unset);
            setOrUnset(UNSETTLED_SINCE, unsettledSince, set, unset);
        }

        private static void setOrUnset(String field, @Nullable Instant at, BsonDocument set, BsonDocument unset) {
            if (at == null) {
                unset.append(field, BsonBoolean.TRUE);
            } else {
                set.append(field, new BsonDateTime(at.toEpochMilli()));
            }
        }

        private static void appendIfNotEmpty(BsonDocument modification, String operator, BsonDocument fields) {
            if (!fields.isEmpty()) {
                modification.append(operator, fields);
            }
        }
    }

    private static <T> BsonDocument each(List<T> values, BiConsumer<BsonWriter, T> write) {
        return new BsonDocument("$each", array(values, write));
    }

    private static <T> BsonArray array(List<T> values, BiConsumer<BsonWriter, T> write) {
        BsonArray array = new BsonArray(values.size());
        for (T value : values) {
            BsonDocument document = new BsonDocument();
            write.accept(new BsonDocumentWriter(document), value);
            array.add(document);
        }
        return array;
    }

    private static boolean isFailover(Throwable fault) {
        return fault instanceof MongoSocketException
                || fault instanceof MongoNotPrimaryException
                || fault instanceof MongoNodeIsRecoveringException;
    }

    /** Only errors caused by one document are final. All other server errors may be temporary, so the command is tried again. */
    private static RuntimeException classified(MongoException fault) {
        boolean oneDocument = fault instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> FAULTS_OF_ONE_DOCUMENT.contains(error.getCode()));
        return oneDocument
                ? fault
                : new TransientFault("mongodb: " + fault.getClass().getSimpleName(), fault);
    }
}
