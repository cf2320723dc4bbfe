package dev.ligeiro.gateway.api.create;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Inserts transactions, with majority write concern and journal. */
@Component
class InsertStore {

    private static final int DUPLICATE_KEY = 11_000;
    /**
     * Lists cache counts of time that ended 15 s ago, so no insert may come later than that. A create that would wait longer than about 400 ms
     * for its batch is refused at once. So only a gateway that was paused holds creates of this age; their clients have timed out.
     */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /** Explicit, so that a longer time limit of MongoDB's client does not let inserts come after their time was counted. */
    private static final long INSERT_MILLIS_MAX = 2_500;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoCollection<Transaction> transactions;
    private final CollectionSetup setup;
    private final Clock clock;

    InsertStore(MongoCollection<Transaction> transactions, CollectionSetup setup, Clock clock) {
        Long configured = transactions.getTimeout(TimeUnit.MILLISECONDS);
        this.transactions = configured != null && configured < INSERT_MILLIS_MAX
                ? transactions
                : transactions.withTimeout(INSERT_MILLIS_MAX, TimeUnit.MILLISECONDS);
        this.setup = setup;
        this.clock = clock;
    }

    /**
     * Inserts a batch by one unordered {@code insertMany}. A transaction fails with {@link DuplicateKey} when the tenant already has its
     * reference or idempotency key; the others of its batch are stored. If one of them was created too long ago, none is stored, and none
     * before the unique indexes exist: a database restored without them would take a reference twice.
     */
    Mono<Inserted> insert(List<Transaction> batch) {
        if (!setup.isDone()) {
            return Mono.error(Problem.unavailable("The gateway is not ready yet", RETRY_AFTER));
        }
        Instant oldest = clock.instant().minus(AGE_MAX);
        if (batch.stream().anyMatch(transaction -> transaction.createdAt().isBefore(oldest))) {
            return Mono.error(Problem.overloaded("The request waited too long", RETRY_AFTER));
        }
        return Mono.from(transactions.insertMany(batch, UNORDERED))
                .map(stored -> new Inserted(Map.of()))
                .onErrorResume(
                        MongoBulkWriteException.class,
                        partly -> partly.getWriteConcernError() == null
                                ? Mono.just(new Inserted(failures(partly)))
                                : Mono.error(partly));
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
    record Inserted(Map<Integer, Throwable> failures) implements RequestBatcher.Outcomes<Void> {

        @Override
        public @Nullable Throwable failure(int index) {
            return failures.get(index);
        }

        @Override
        public @Nullable Void result(int index) {
            return null;
        }
    }

    /** Another transaction of the tenant has the same reference or idempotency key. */
    static final class DuplicateKey extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private DuplicateKey() {
            super(null, null, false, false);
        }
    }
}
