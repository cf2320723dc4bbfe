package dev.ligeiro.gateway.operator.records;

import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.TransactionsById;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds the stored states of transactions, over the client for long reads. */
@Component
class StoredStateStore {

    /** A stored transaction can have 200 kB. */
    private static final int READ_MAX = 24;

    private final MongoCollection<Transaction> transactions;

    StoredStateStore(LongReads reads) {
        this.transactions = reads.transactions();
    }

    Mono<Map<TransactionId, StoredState>> find(Collection<TransactionId> ids) {
        return Flux.fromIterable(ids)
                .buffer(READ_MAX)
                .concatMap(some -> TransactionsById.find(transactions, some))
                .flatMapIterable(Map::values)
                .collectMap(Transaction::id, StoredState::of);
    }

    /** What MongoDB has of a transaction: its status, and the number of its announced entries. */
    record StoredState(Status status, int sequence) {

        static StoredState of(Transaction stored) {
            return new StoredState(stored.status(), stored.history().sequence());
        }
    }
}
