package dev.ligeiro.gateway.store;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinary;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads transactions by {@code _id}, all of them by one query with one answer. */
public final class TransactionsById {

    private TransactionsById() {}

    /** The stored ones of these transactions. */
    public static Mono<Map<TransactionId, Transaction>> find(
            MongoCollection<Transaction> transactions, Collection<TransactionId> ids) {
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        List<BsonBinary> binaries =
                ids.stream().map(id -> TransactionCodec.binary(id.value())).toList();
        // MongoDB answers a full batch without saying that nothing follows, so the batch has room for one more
        return Flux.from(transactions
                        .find(Filters.in(TransactionFields.ID, binaries))
                        .batchSize(ids.size() + 1))
                .collectMap(Transaction::id);
    }
}
