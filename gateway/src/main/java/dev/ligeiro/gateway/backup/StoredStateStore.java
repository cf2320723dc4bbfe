package dev.ligeiro.gateway.backup;

import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.gateway.mongo.TransactionsById;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Finds the stored states of transactions, over the client for long reads. */
@Component
class StoredStateStore {

    private final MongoCollection<Transaction> transactions;

    StoredStateStore(LongReads reads) {
        this.transactions = reads.transactions();
    }

    Mono<Map<TransactionId, Transaction>> find(Collection<TransactionId> ids) {
        return TransactionsById.find(transactions, ids);
    }
}
