package dev.ligeiro.processor.apply;

import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.IDEMPOTENCY_KEYS;
import static dev.ligeiro.store.TransactionFields.RAIL;
import static dev.ligeiro.store.TransactionFields.TENANT;
import static dev.ligeiro.store.TransactionFields.UNSETTLED_SINCE;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Date;
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

    /** The tenant in each filter is for sharded clusters. Without a hint, MongoDB would try each index that begins with it. */
    private static final BsonDocument ID_INDEX = new BsonDocument(ID, new BsonInt32(1));

    private static final UpdateOptions BY_ID = new UpdateOptions().hint(ID_INDEX);

    /**
     * The driver retries only statements of one document, so the store retries the bulk. The retry keeps the submitter's id,
     * so this process may still submit a cashout that the first attempt had moved.
     */
    private static final Retry RETRY_ONCE_AFTER_FAILOVER = Retry.max(1)
            .filter(TransactionBatchStore::isFailover)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final MongoCollection<RawBsonDocument> transactions;
    private final MongoCollection<BsonDocument> redactions;

    /** The mean size of the transactions that were last loaded, by which the next reply is limited. */
    private volatile long documentBytes = 64 * 1024;

    TransactionBatchStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                // an event must not announce a state that a failover can roll back
                .withReadConcern(ReadConcern.MAJORITY);
        this.redactions = database.getCollection(CollectionNames.REDACTIONS, BsonDocument.class);
    }

    /**
     * Stored transactions.
     *
     * @param bytes the size of {@code found} in MongoDB
     * @param unread those that were asked for and not read, because the bytes were used up; they may be stored or not
     */
    public record Loaded(Map<TransactionId, Transaction> found, long bytes, Set<TransactionId> unread) {

        static final Loaded NONE = new Loaded(Map.of(), 0, Set.of());

        public Optional<Transaction> find(TransactionId id) {
            return Optional.ofNullable(found.get(id));
        }

        /** Adds the transactions of a later read, which was made because this one left nothing unread and missed some. */
        public Loaded and(Loaded later) {
            Map<TransactionId, Transaction> both = new HashMap<>(found);
            both.putAll(later.found);
            return new Loaded(both, bytes + later.bytes, later.unread);
        }
    }

    /**
     * The stored transactions of these commands, by one query, and a second one for those whose tenant is not known. It stops when they have
     * {@code bytesMax} together, and reads at least one.
     */
    public Mono<Loaded> load(List<TransactionCommand> commands, long bytesMax) {
        if (commands.isEmpty()) {
            return Mono.just(Loaded.NONE);
        }
        return Mono.defer(() -> {
            Map<TransactionId, Transaction> found = new HashMap<>();
            AtomicLong bytes = new AtomicLong();
            return find(transactions, commands, bytesMax)
                    .doOnNext(document -> found.put(id(document), document.decode(CODEC)))
                    .takeUntil(document -> bytes.addAndGet(size(document)) >= bytesMax)
                    .then(Mono.fromSupplier(() -> {
                        if (!found.isEmpty()) {
                            documentBytes = bytes.get() / found.size();
                        }
                        return new Loaded(
                                found,
                                bytes.get(),
                                bytes.get() < bytesMax ? Set.of() : unread(commands, found.keySet()));
                    }));
        });
    }

    /**
     * Like {@link #load}, for at least one command, and certain: what it neither finds nor leaves unread is not stored. A new primary does not
     * show the latest transactions to majority reads until its first own write is replicated. A linearizable read makes such a write and
     * waits for it; one of each tenant is read, because they may be on different shards. Without a majority of MongoDB's members it fails.
     */
    public Mono<Loaded> loadLatest(List<TransactionCommand> commands, long bytesMax) {
        Map<Optional<Tenant>, TransactionCommand> ofEachTenant = new HashMap<>();
        commands.forEach(command -> ofEachTenant.putIfAbsent(Optional.ofNullable(command.tenant()), command));
        return Flux.fromIterable(ofEachTenant.values())
                .concatMap(command -> find(transactions.withReadConcern(ReadConcern.LINEARIZABLE), List.of(command), 1))
                .onErrorMap(MongoFaults::classified)
                .then(load(commands, bytesMax));
    }

    /** Whether a transaction of the rail has had no outcome since a time in this span. Fails before the gateway has created the index. */
    public Mono<Boolean> hasUnsettled(String rail, Instant from, Instant before) {
        return Mono.from(transactions
                        .find(Filters.and(
                                Filters.gte(UNSETTLED_SINCE, Date.from(from)),
                                Filters.lt(UNSETTLED_SINCE, Date.from(before)),
                                Filters.eq(RAIL, rail)))
                        .hint(Indexes.ascending(UNSETTLED_SINCE, ID))
                        .projection(Projections.include(ID))
                        .limit(1)
                        .comment(AllShards.SWEEP))
                .hasElement();
    }

    private static Set<TransactionId> unread(List<TransactionCommand> commands, Set<TransactionId> found) {
        return commands.stream()
                .map(TransactionCommand::transactionId)
                .filter(id -> !found.contains(id))
                .collect(Collectors.toSet());
    }

    private Flux<RawBsonDocument> find(
            MongoCollection<RawBsonDocument> collection, List<TransactionCommand> commands, long bytesMax) {
        Set<TransactionId> ids = new HashSet<>();
        Set<TransactionId> ofAnyTenant = new HashSet<>();
        Set<Tenant> tenants = new HashSet<>();
        for (TransactionCommand command : commands) {
            Tenant tenant = command.tenant();
            if (tenant == null) {
                ofAnyTenant.add(command.transactionId());
            } else {
                ids.add(command.transactionId());
                tenants.add(tenant);
            }
        }
        return Flux.<RawBsonDocument>concat(
                        ids.isEmpty() ? Flux.empty() : find(collection, of(tenants, ids), ids.size(), bytesMax),
                        ofAnyTenant.isEmpty()
                                ? Flux.empty()
                                : find(collection, new BsonDocument(ID, in(ofAnyTenant)), ofAnyTenant.size(), bytesMax)
                                        .comment(AllShards.RAIL_NOTICE))
                .onErrorMap(MongoFaults::classified);
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
        Map<UpdateStatement, List<Transaction>> statements = UpdateStatement.group(updates);
        BsonBinary submitter = TransactionCodec.binary(UUID.randomUUID());
        return removeAgain(updates)
                .then(Mono.defer(() -> Mono.from(transactions.bulkWrite(models(statements, submitter), UNORDERED))))
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

    /**
     * A transaction whose personal data was removed can get some again, such as the text of a refund: it then waits for another removal. Stored
     * before the change, so that a crash leaves no change without it.
     */
    private Mono<Void> removeAgain(List<Update> updates) {
        List<UpdateOneModel<BsonDocument>> waits = updates.stream()
                .map(Update::after)
                .filter(after -> after.terms().payer().wasRemoved() && Redaction.of(after) != after)
                .map(TransactionBatchStore::waits)
                .toList();
        return waits.isEmpty()
                ? Mono.empty()
                : Mono.from(redactions.bulkWrite(waits, UNORDERED)).then();
    }

    private static UpdateOneModel<BsonDocument> waits(Transaction changed) {
        List<Entry> entries = changed.history().entries();
        Instant due = entries.get(entries.size() - 1).at().plus(Redaction.QUIET);
        return new UpdateOneModel<>(
                Filters.eq(
                        RedactionFields.ID, TransactionCodec.binary(changed.id().value())),
                Updates.combine(
                        Updates.set(RedactionFields.TENANT, changed.tenant().key()),
                        Updates.set(RedactionFields.DUE, Date.from(due))),
                new UpdateOptions().upsert(true));
    }

    private static List<UpdateManyModel<RawBsonDocument>> models(
            Map<UpdateStatement, List<Transaction>> statements, BsonBinary submitter) {
        return statements.entrySet().stream()
                .map(statement -> new UpdateManyModel<RawBsonDocument>(
                        statement.getKey().filter(statement.getValue()),
                        statement.getKey().modification(submitter),
                        BY_ID))
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
        return new BsonDocument(TENANT, TransactionCodec.tenant(update.before().tenant()))
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
            Set<Tenant> tenants =
                    updates.stream().map(update -> update.before().tenant()).collect(Collectors.toSet());
            return Flux.from(find(
                            transactions, of(tenants, unmatched.keySet()), updates.size(), ProcessorMemoryBudget.PART))
                    .onErrorMap(MongoFaults::classified)
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

    private FindPublisher<RawBsonDocument> find(
            MongoCollection<RawBsonDocument> collection, BsonDocument filter, int count, long bytesMax) {
        return collection.find(filter).hint(ID_INDEX).batchSize((int)
                Math.max(1, Math.min(count, bytesMax / documentBytes)));
    }

    private static BsonDocument of(Set<Tenant> tenants, Set<TransactionId> ids) {
        return new BsonDocument(ID, in(ids))
                .append(TENANT, UpdateStatement.in(tenants.stream().map(TransactionCodec::tenant)));
    }

    private static BsonDocument in(Set<TransactionId> ids) {
        return UpdateStatement.in(ids.stream().map(id -> TransactionCodec.binary(id.value())));
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
