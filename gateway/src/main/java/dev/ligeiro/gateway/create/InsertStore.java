package dev.ligeiro.gateway.create;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.or;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.batch.RequestBatcher;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Inserts transactions, with majority write concern and journal. */
@Component
class InsertStore {

    private static final int DUPLICATE_KEY = 11_000;
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoCollection<Transaction> transactions;

    InsertStore(MongoCollection<Transaction> transactions) {
        this.transactions = transactions;
    }

    /**
     * Inserts a batch by one unordered {@code insertMany}. A transaction fails with {@link DuplicateKey} when the tenant already has its
     * reference or idempotency key; the others of its batch are stored.
     */
    Mono<Inserted> insert(List<Transaction> batch) {
        return Mono.from(transactions.insertMany(batch, UNORDERED))
                .map(stored -> new Inserted(batch, Map.of()))
                .onErrorResume(
                        MongoBulkWriteException.class,
                        partly -> partly.getWriteConcernError() == null
                                ? Mono.just(new Inserted(batch, failures(partly)))
                                : Mono.error(partly));
    }

    /**
     * The tenant's transactions that have the idempotency key or the reference of {@code transaction}: two at most. Reads with majority
     * read concern, because a failover must not roll back a transaction that a response shows. One query finds both: of two queries,
     * only the second might see a transaction that has both, and it would be taken for one with the reference only.
     */
    Mono<List<Transaction>> holders(Transaction transaction) {
        List<Bson> unique = new ArrayList<>();
        addIfPresent(unique, transaction, TransactionFields.IDEMPOTENCY_KEYS, RepeatedCreate.key(transaction));
        addIfPresent(
                unique,
                transaction,
                TransactionFields.REFERENCE,
                transaction.terms().reference());
        return Flux.from(transactions.withReadConcern(ReadConcern.MAJORITY).find(or(unique)))
                .collectList();
    }

    /** Each filter names the tenant, so that each uses its unique index. */
    private static void addIfPresent(
            List<Bson> filters, Transaction transaction, String field, @Nullable String value) {
        if (value != null) {
            filters.add(and(eq(TransactionFields.TENANT, transaction.tenant().key()), eq(field, value)));
        }
    }

    private static Map<Integer, Throwable> failures(MongoBulkWriteException partly) {
        Map<Integer, Throwable> failures = new HashMap<>();
        partly.getWriteErrors()
                .forEach(error ->
                        failures.put(error.getIndex(), error.getCode() == DUPLICATE_KEY ? new DuplicateKey() : partly));
        return failures;
    }

    /**
     * The outcome of a batch.
     *
     * @param failures by index in the batch
     */
    record Inserted(List<Transaction> batch, Map<Integer, Throwable> failures)
            implements RequestBatcher.Outcomes<Void> {

        /** As this, but transactions created before {@code time} fail. Failures that are known already stay. */
        Inserted failCreatedBefore(Instant time, Throwable failure) {
            Map<Integer, Throwable> all = new HashMap<>(failures);
            for (int i = 0; i < batch.size(); i++) {
                if (batch.get(i).createdAt().isBefore(time)) {
                    all.putIfAbsent(i, failure);
                }
            }
            return new Inserted(batch, all);
        }

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
