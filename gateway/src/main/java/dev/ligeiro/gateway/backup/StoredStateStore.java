package dev.ligeiro.gateway.backup;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds the stored states of transactions: one query by {@code _id}. */
@Component
class StoredStateStore {

    private final MongoCollection<Transaction> transactions;

    StoredStateStore(LongReads reads) {
        this.transactions = reads.transactions();
    }

    Mono<Map<TransactionId, Transaction>> find(Collection<TransactionId> ids) {
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        return Flux.from(transactions
                        .find(Filters.in(
                                TransactionFields.ID,
                                ids.stream()
                                        .map(id -> TransactionCodec.binary(id.value()))
                                        .toList()))
                        .batchSize(ids.size()))
                .collectMap(Transaction::id);
    }
}
