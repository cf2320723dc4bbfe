package dev.ligeiro.gateway.create;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.batch.RequestBatcher;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Inserts transactions. Concurrent inserts share one unordered {@code insertMany}, with majority write concern and journal. The commands
 * of a stored batch are published together.
 */
@Component
class InsertStore {

    private static final int BATCH_MAX = 128;
    /** While one batch waits for the journal, the next is encoded and sent. With four, a create costs 6 % more CPU. */
    private static final int IN_FLIGHT_MAX = 2;

    /**
     * Without it, batches have 2 creates at 1,500 creates/s, and mongod needs 409 µs a create. With 2 ms it needs about 310 µs,
     * with 4 ms 277.
     */
    private static final Duration SPACING = Duration.ofMillis(2);

    private static final int QUEUED_MAX = 10_000;
    private static final int DUPLICATE_KEY = 11_000;
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoCollection<Transaction> transactions;
    private final CommandPublisher publisher;
    private final RequestBatcher<Transaction, Void> inserts;

    InsertStore(MongoCollection<Transaction> transactions, CommandPublisher publisher) {
        this.transactions = transactions;
        this.publisher = publisher;
        this.inserts = new RequestBatcher<>(BATCH_MAX, IN_FLIGHT_MAX, QUEUED_MAX, SPACING, this::insertBatch);
    }

    /**
     * Submits the insert at once. Completes when the transaction is stored with majority write concern; fails with
     * {@link ReferenceAlreadyUsed} when the tenant already has the reference. The failure of one insert does not affect others of its batch.
     */
    Mono<Void> insert(Transaction transaction) {
        return inserts.submit(transaction);
    }

    /** The id of the tenant's transaction that already has the reference of {@code transaction}. */
    Mono<TransactionId> holderOfReference(Transaction transaction) {
        return Mono.from(transactions
                        .withDocumentClass(BsonDocument.class)
                        .find(Filters.and(
                                Filters.eq(
                                        TransactionFields.TENANT,
                                        transaction.tenant().key()),
                                Filters.eq(
                                        TransactionFields.REFERENCE,
                                        transaction.terms().reference())))
                        .projection(Projections.include(TransactionFields.ID)))
                .map(found ->
                        new TransactionId(found.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD)));
    }

    private Mono<RequestBatcher.Outcomes<Void>> insertBatch(List<Transaction> batch) {
        return Mono.from(transactions.insertMany(batch, UNORDERED))
                .map(stored -> outcomes(batch, Map.of()))
                .onErrorResume(
                        MongoBulkWriteException.class,
                        partly -> partly.getWriteConcernError() == null
                                ? Mono.just(outcomes(batch, failures(partly)))
                                : Mono.error(partly));
    }

    private RequestBatcher.Outcomes<Void> outcomes(List<Transaction> batch, Map<Integer, Throwable> failures) {
        publisher.publishStored(stored(batch, failures));
        return new Inserted(failures);
    }

    private static List<Transaction> stored(List<Transaction> batch, Map<Integer, Throwable> failures) {
        if (failures.isEmpty()) {
            return batch;
        }
        List<Transaction> stored = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            if (!failures.containsKey(i)) {
                stored.add(batch.get(i));
            }
        }
        return stored;
    }

    private static Map<Integer, Throwable> failures(MongoBulkWriteException partly) {
        Map<Integer, Throwable> failures = new HashMap<>();
        partly.getWriteErrors()
                .forEach(error -> failures.put(
                        error.getIndex(), error.getCode() == DUPLICATE_KEY ? new ReferenceAlreadyUsed() : partly));
        return failures;
    }

    private record Inserted(Map<Integer, Throwable> failures) implements RequestBatcher.Outcomes<Void> {

        @Override
        public @Nullable Throwable failure(int index) {
            return failures.get(index);
        }

        @Override
        public @Nullable Void result(int index) {
            return null;
        }
    }
}
