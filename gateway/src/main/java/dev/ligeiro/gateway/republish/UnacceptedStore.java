package dev.ligeiro.gateway.republish;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/**
 * Finds unaccepted transactions in a range of ids, which contain the time of creation. There is no index of unaccepted transactions: it
 * would make every insert and every acceptance slower, while this query reads each transaction only once per age.
 */
@Component
class UnacceptedStore {

    static final int BATCH = 500;
    private static final long SCAN_MINUTES_MAX = 10;

    private final MongoCollection<Transaction> transactions;

    UnacceptedStore(MongoCollection<Transaction> transactions) {
        this.transactions = transactions.withTimeout(SCAN_MINUTES_MAX, TimeUnit.MINUTES);
    }

    /** The unaccepted transactions created in the span, the oldest first. */
    Flux<Transaction> createdIn(RepublishSchedule.Span span) {
        return Flux.from(transactions
                .find(Filters.and(
                        Filters.gte(TransactionFields.ID, lowestIdAt(span.from())),
                        Filters.lt(TransactionFields.ID, lowestIdAt(span.before())),
                        Filters.eq(TransactionFields.UNACCEPTED, true)))
                .hint(Indexes.ascending(TransactionFields.ID))
                .sort(Sorts.ascending(TransactionFields.ID))
                .batchSize(BATCH));
    }

    private static BsonBinary lowestIdAt(Instant at) {
        return TransactionCodec.binary(UuidV7.lowest(Math.max(0, at.toEpochMilli())));
    }
}
