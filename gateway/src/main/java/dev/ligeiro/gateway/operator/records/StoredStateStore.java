package dev.ligeiro.gateway.operator.records;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.List;
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
                .concatMap(this::read)
                .collectMap(Transaction::id, StoredState::of);
    }

    /** One query with one answer. */
    private Flux<Transaction> read(List<TransactionId> ids) {
        return Flux.from(transactions
                .find(Filters.in(
                        TransactionFields.ID,
                        ids.stream()
                                .map(id -> TransactionCodec.binary(id.value()))
                                .toList()))
                .batchSize(READ_MAX + 1)
                .comment(AllShards.OPERATOR));
    }

    /** A transaction's stored status, and the number of its announced entries. */
    record StoredState(Status status, int sequence) {

        static StoredState of(Transaction stored) {
            return new StoredState(stored.status(), stored.history().sequence());
        }
    }
}
