package dev.ligeiro.processor.apply;

import static dev.ligeiro.store.TransactionFields.EVENTS;
import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.STATUS;
import static dev.ligeiro.store.TransactionFields.UNACCEPTED;
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
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
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

    /** The random id of the bulk that moved a cashout to {@code in_process}; only read by the process of that bulk. */
    private static final String SUBMITTER = "submitter";

    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
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
     * @return the stored transaction of each change that was not made, empty if it is not stored. A change that an identical earlier
     *     call has made counts as made
     */
    public Mono<Map<TransactionId, Optional<Transaction>>> write(List<Change> changes) {
        if (changes.isEmpty()) {
            return Mono.just(Map.of());
        }
        BsonBinary submitter = TransactionCodec.binary(UUID.randomUUID());
        return Mono.defer(() -> Mono.from(transactions.bulkWrite(updates(changes, submitter), UNORDERED)))
                .retryWhen(RETRY_ONCE_AFTER_FAILOVER)
                .onErrorMap(MongoException.class, TransactionStore::classified)
                .flatMap(result -> result.getMatchedCount() == changes.size()
                        ? Mono.just(Map.of())
                        : conflicts(changes, submitter));
    }

    /** A bulk reports the number of matches, not the documents, so all of its transactions are read. */
    private Mono<Map<TransactionId, Optional<Transaction>>> conflicts(List<Change> changes, BsonBinary submitter) {
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
            return conflicts;
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
     * Whether the stored history is that of the change. For a change to {@code in_process} the stored submitter must also be this
     * call's, because another process may have made the same change.
     */
    private static boolean isMade(Change change, RawBsonDocument document, BsonBinary submitter) {
        Transaction stored = document.decode(CODEC);
        boolean same = stored.accepted() == change.after().accepted()
                && stored.events().equals(change.after().events());
        return same && (!change.entersProcess() || submitter.equals(document.get(SUBMITTER)));
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
            int version, boolean accepted, Status status, List<StatusEvent> newEvents, boolean entersProcess) {

        static SameChange of(Change change) {
            return new SameChange(
                    change.before().version(),
                    change.before().accepted(),
                    change.after().status(),
                    change.newEvents(),
                    change.entersProcess());
        }

        BsonDocument filter(BsonArray ids) {
            BsonDocument filter =
                    new BsonDocument(ID, new BsonDocument("$in", ids)).append(VERSION, new BsonInt32(version));
            // an acceptance alone does not change the version
            return accepted ? filter : filter.append(UNACCEPTED, BsonBoolean.TRUE);
        }

        BsonDocument modification(BsonBinary submitter) {
            BsonDocument modification = new BsonDocument();
            if (!newEvents.isEmpty()) {
                BsonDocument set = new BsonDocument(STATUS, new BsonString(status.code()))
                        .append(VERSION, new BsonInt32(version + newEvents.size()));
                if (entersProcess) {
                    set.append(SUBMITTER, submitter);
                }
                modification
                        .append("$set", set)
                        .append("$push", new BsonDocument(EVENTS, new BsonDocument("$each", events(newEvents))));
            }
            return accepted
                    ? modification
                    : modification.append("$unset", new BsonDocument(UNACCEPTED, BsonBoolean.TRUE));
        }
    }

    private static BsonArray events(List<StatusEvent> events) {
        BsonArray array = new BsonArray(events.size());
        for (StatusEvent event : events) {
            BsonDocument entry = new BsonDocument();
            TransactionCodec.writeEvent(new BsonDocumentWriter(entry), event);
            array.add(entry);
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
