package dev.ligeiro.processor.apply;

import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.IDEMPOTENCY_KEYS;
import static dev.ligeiro.store.TransactionFields.TENANT;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The transactions in MongoDB. Writing a batch is one bulk, followed by a read only if an update was not made. Reads and writes use
 * majority, writes are journaled, so every reported state is durable. Faults of the server or the network are
 * {@link TransientFault}s.
 */
@Component
public class TransactionBatchStore {

    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final int DUPLICATE_KEY = 11_000;

    /**
     * The driver retries only statements of one document, so the store retries the bulk. The retry uses the same submitter: this
     * process may submit a cashout that the first attempt had moved.
     */
    private static final Retry RETRY_ONCE_AFTER_FAILOVER = Retry.max(1)
            .filter(TransactionBatchStore::isFailover)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final MongoCollection<RawBsonDocument> transactions;

    /** The mean size of the transactions that were last loaded, by which the next reply is limited. */
    private volatile long documentBytes = 64 * 1024;

    TransactionBatchStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                // an event must not announce a state that a failover can roll back
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * Stored transactions.
     *
     * @param bytes the size of {@code found} in MongoDB
     * @param unread those that were asked for and not read, because the bytes were used up; they may be stored or not
     */
    public record Loaded(Map<TransactionId, Transaction> found, long bytes, Set<TransactionId> unread) {

        static final Loaded NONE = new Loaded(Map.of(), 0, Set.of());
    }

    /**
     * The stored transactions among {@code ids}, by one query. It stops when they have {@code bytesMax} together, and reads at least one.
     */
    public Mono<Loaded> load(Collection<TransactionId> ids, long bytesMax) {
        if (ids.isEmpty()) {
            return Mono.just(Loaded.NONE);
        }
        return Mono.defer(() -> {
            Map<TransactionId, Transaction> found = new HashMap<>();
            AtomicLong bytes = new AtomicLong();
            return find(ids, bytesMax)
                    .doOnNext(document -> found.put(id(document), document.decode(CODEC)))
                    .takeUntil(document -> bytes.addAndGet(size(document)) >= bytesMax)
                    .then(Mono.fromSupplier(() -> {
                        if (!found.isEmpty()) {
                            documentBytes = bytes.get() / found.size();
                        }
                        return new Loaded(
                                found, bytes.get(), bytes.get() < bytesMax ? Set.of() : without(found.keySet(), ids));
                    }));
        });
    }

    /**
     * Like {@link #load}, for at least one id, and certain: what it neither finds nor leaves unread is not stored. A new primary does not
     * show the latest transactions to majority reads until its first own write is replicated. A linearizable read makes such a write and
     * waits for it. Without a majority of MongoDB's members it fails.
     */
    public Mono<Loaded> loadLatest(List<TransactionId> ids, long bytesMax) {
        BsonDocument any =
                new BsonDocument(ID, TransactionCodec.binary(ids.get(0).value()));
        return Mono.defer(() -> Mono.from(transactions
                        .withReadConcern(ReadConcern.LINEARIZABLE)
                        .find(any)
                        .projection(new BsonDocument(ID, new BsonInt32(1)))
                        .first()))
                .onErrorMap(MongoFaults::classified)
                .then(load(ids, bytesMax));
    }

    private static Set<TransactionId> without(Set<TransactionId> found, Collection<TransactionId> ids) {
        Set<TransactionId> unread = new HashSet<>(ids);
        unread.removeAll(found);
        return unread;
    }

    /**
     * Writes {@code updates}, at most one per transaction, in one unordered bulk.
     *
     * @return the updates that were not made. If a transaction already has the state after its update, the update counts as made; one that
     *     takes a submission only if this call has made it
     */
    public Mono<Conflicts> write(List<Update> updates) {
        if (updates.isEmpty()) {
            return Mono.just(Conflicts.NONE);
        }
        Map<UpdateStatement, BsonArray> statements = UpdateStatement.group(updates);
        BsonBinary submitter = TransactionCodec.binary(UUID.randomUUID());
        return Mono.defer(() -> Mono.from(transactions.bulkWrite(models(statements, submitter), UNORDERED)))
                .retryWhen(RETRY_ONCE_AFTER_FAILOVER)
                .flatMap(result -> result.getMatchedCount() == updates.size()
                        ? Mono.just(Conflicts.NONE)
                        : conflicts(updates, submitter, Set.of()))
                .onErrorResume(
                        MongoBulkWriteException.class,
                        partly -> hasOnlyDuplicateKeys(partly)
                                ? keysTaken(updates, List.copyOf(statements.keySet()), partly)
                                        .flatMap(taken -> conflicts(updates, submitter, taken))
                                : Mono.error(partly))
                .onErrorMap(MongoFaults::classified);
    }

    private static List<UpdateManyModel<RawBsonDocument>> models(
            Map<UpdateStatement, BsonArray> statements, BsonBinary submitter) {
        return statements.entrySet().stream()
                .map(statement -> new UpdateManyModel<RawBsonDocument>(
                        statement.getKey().filter(statement.getValue()),
                        statement.getKey().modification(submitter)))
                .toList();
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
    private Mono<Set<Conflicts.TakenKey>> keysTaken(
            List<Update> updates, List<UpdateStatement> statements, MongoBulkWriteException partly) {
        Set<UpdateStatement> failed = partly.getWriteErrors().stream()
                .map(error -> statements.get(error.getIndex()))
                .collect(Collectors.toSet());
        Set<BsonString> keys = failed.stream().flatMap(UpdateStatement::newKeys).collect(Collectors.toSet());
        BsonArray holders = updates.stream()
                .filter(update -> failed.contains(UpdateStatement.of(update)))
                .map(TransactionBatchStore::isKeyOfAnother)
                .collect(Collectors.toCollection(BsonArray::new));
        return Flux.from(transactions.find(new BsonDocument("$or", holders)).projection(onlyKeys(keys)))
                .flatMapIterable(TransactionBatchStore::taken)
                .collect(Collectors.toSet());
    }

    /** The tenant of a transaction and those of its keys that are among {@code keys}. The whole could have 180 kB. */
    private static BsonDocument onlyKeys(Set<BsonString> keys) {
        BsonDocument literal = new BsonDocument("$literal", new BsonArray(List.copyOf(keys)));
        return new BsonDocument(TENANT, new BsonInt32(1))
                .append(
                        IDEMPOTENCY_KEYS,
                        new BsonDocument(
                                "$setIntersection",
                                new BsonArray(List.of(new BsonString("$" + IDEMPOTENCY_KEYS), literal))));
    }

    private static List<Conflicts.TakenKey> taken(RawBsonDocument holder) {
        Tenant tenant = new Tenant(holder.getInt64(TENANT).getValue());
        return holder.getArray(IDEMPOTENCY_KEYS).stream()
                .map(key -> new Conflicts.TakenKey(tenant, key.asString().getValue()))
                .toList();
    }

    /** Finds the other transactions of the tenant that have a key which {@code update} adds. */
    private static BsonDocument isKeyOfAnother(Update update) {
        BsonArray keys = UpdateStatement.of(update).newKeys().collect(Collectors.toCollection(BsonArray::new));
        return new BsonDocument(TENANT, new BsonInt64(update.before().tenant().key()))
                .append(IDEMPOTENCY_KEYS, new BsonDocument("$in", keys))
                .append(
                        ID,
                        new BsonDocument(
                                "$ne", TransactionCodec.binary(update.id().value())));
    }

    /**
     * A bulk reports the number of matches, not the documents, so all of its transactions are read. If those in conflict are too large
     * together, this fails, and a smaller part of the batch is tried.
     */
    private Mono<Conflicts> conflicts(List<Update> updates, BsonBinary submitter, Set<Conflicts.TakenKey> keysTaken) {
        return Mono.defer(() -> {
            Map<TransactionId, Update> unmatched =
                    updates.stream().collect(Collectors.toMap(Update::id, update -> update));
            Map<TransactionId, Optional<Transaction>> conflicts = new HashMap<>();
            AtomicLong bytes = new AtomicLong();
            return find(List.copyOf(unmatched.keySet()), ProcessorMemoryBudget.PART)
                    .doOnNext(document -> {
                        Update update = Objects.requireNonNull(unmatched.remove(id(document)));
                        Transaction stored = document.decode(CODEC);
                        if (!isMade(update, stored, document, submitter)) {
                            requireRoom(bytes.addAndGet(size(document)), conflicts);
                            conflicts.put(update.id(), Optional.of(stored));
                        }
                    })
                    .then(Mono.fromSupplier(() -> {
                        unmatched.keySet().forEach(id -> conflicts.put(id, Optional.empty()));
                        return new Conflicts(conflicts, keysTaken);
                    }));
        });
    }

    private static void requireRoom(long bytes, Map<TransactionId, ?> conflicts) {
        if (bytes > ProcessorMemoryBudget.PART && !conflicts.isEmpty()) {
            throw new IllegalStateException(
                    "conflicts: " + bytes + " bytes (expected: <= " + ProcessorMemoryBudget.PART + ")");
        }
    }

    private Flux<RawBsonDocument> find(Collection<TransactionId> ids, long bytesMax) {
        BsonArray keys = ids.stream()
                .map(id -> TransactionCodec.binary(id.value()))
                .collect(Collectors.toCollection(BsonArray::new));
        return Flux.from(transactions
                        .find(new BsonDocument(ID, new BsonDocument("$in", keys)))
                        .batchSize((int) Math.max(1, Math.min(ids.size(), bytesMax / documentBytes))))
                .onErrorMap(MongoFaults::classified);
    }

    private static TransactionId id(RawBsonDocument document) {
        return new TransactionId(document.getBinary(ID).asUuid());
    }

    private static int size(RawBsonDocument document) {
        return document.getByteBuffer().remaining();
    }

    /**
     * Whether the stored state is that of the update. For an update that takes a submission the stored submitter must also be this
     * call's, because another process may have made the same update.
     */
    private static boolean isMade(Update update, Transaction stored, RawBsonDocument document, BsonBinary submitter) {
        return stored.equals(update.after())
                && (!update.takesSubmission() || submitter.equals(document.get(UpdateStatement.SUBMITTER)));
    }

    private static boolean isFailover(Throwable fault) {
        return fault instanceof MongoSocketException
                || fault instanceof MongoNotPrimaryException
                || fault instanceof MongoNodeIsRecoveringException;
    }
}
