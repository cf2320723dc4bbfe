package dev.ligeiro.gateway.api.show;

import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.store.TransactionsById;
import dev.ligeiro.gateway.store.TransactionsById.Seen;
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

    private final BatchedLookup<Seen, Transaction> reads;

    TransactionStore(MongoCollection<Transaction> transactions) {
        this.reads = new BatchedLookup<>(
                GatewayMemoryBudget.READ_MAX / IN_FLIGHT_MAX,
                IN_FLIGHT_MAX,
                QUEUED_MAX,
                SPACING,
                seen -> TransactionsById.findChanged(transactions, seen),
                Problems::isUnavailable);
    }

    /** The transaction, or empty. It may belong to any tenant: the calling code checks that. */
    public Mono<Transaction> find(TransactionId id) {
        return findChanged(id, 0);
    }

    /**
     * The transaction if its version is above {@code version}; else empty, which costs neither transfer nor decoding. Versions begin with 1.
     */
    public Mono<Transaction> findChanged(TransactionId id, int version) {
        return reads.find(new Seen(id, version));
    }

    /** The tenant's transaction; empty when the id is unknown or belongs to another tenant. */
    public Mono<Transaction> find(Tenant tenant, TransactionId id) {
        return find(id).filter(found -> found.tenant().equals(tenant));
    }
}
