package dev.ligeiro.gateway.api.show;

import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.MemoryBudget;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.store.TransactionsById;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Reads transactions. Concurrent reads by id share one query: in a batch of 24 a read costs a twelfth of a single read.
 */
@Component
public class TransactionStore {

    private static final int IN_FLIGHT_MAX = 2;
    private static final int QUEUED_MAX = 2_000;
    /** Shorter than for inserts: a read needs no journal, and a client may send reads one after the other. */
    private static final Duration SPACING = Duration.ofMillis(1);

    private final BatchedLookup<TransactionId, Transaction> reads;

    TransactionStore(MongoCollection<Transaction> transactions) {
        this.reads = new BatchedLookup<>(
                MemoryBudget.READ_MAX / IN_FLIGHT_MAX,
                IN_FLIGHT_MAX,
                QUEUED_MAX,
                SPACING,
                ids -> TransactionsById.find(transactions, ids),
                Problems::isUnavailable);
    }

    /** The transaction, or empty. It may belong to any tenant: the calling code checks that. */
    public Mono<Transaction> find(TransactionId id) {
        return reads.find(id);
    }

    /** The tenant's transaction; empty when the id is unknown or belongs to another tenant. */
    public Mono<Transaction> find(Tenant tenant, TransactionId id) {
        return find(id).filter(found -> found.tenant().equals(tenant));
    }
}
