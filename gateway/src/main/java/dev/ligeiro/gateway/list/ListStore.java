package dev.ligeiro.gateway.list;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts and reads the transactions of a list. Counting costs 0.6 µs per index key, reading 5 µs per document. */
@Component
class ListStore {

    /** More than the 2.5 s of other operations: counting millions takes seconds. */
    private static final long QUERY_SECONDS_MAX = 10;

    /** A query that takes longer is accompanied by a ping, which shows whether MongoDB is reachable. */
    private static final Duration PING_AFTER = Duration.ofMillis(300);

    /** Measured here, because the driver's limit does not bound the wait for a connection behind calls with more time. */
    private static final Duration PING_MAX = Duration.ofMillis(2_200);

    private static final Bson PING = new Document("ping", 1);

    private final MongoCollection<Transaction> transactions;
    private final MongoDatabase database;

    /** @param database of the client for short operations: a ping does not wait behind lists */
    ListStore(LongReads reads, MongoDatabase database) {
        this.transactions = reads.transactions().withTimeout(QUERY_SECONDS_MAX, TimeUnit.SECONDS);
        this.database = database;
    }

    /** Runs a query that may take long, but fails within 3 seconds when MongoDB does not answer a ping. */
    <T> Mono<T> whileReachable(Mono<T> query) {
        Mono<T> unreachable = Mono.delay(PING_AFTER)
                .then(Mono.defer(() -> Mono.from(database.runCommand(PING))).timeout(PING_MAX))
                .then(Mono.never());
        return Mono.firstWithSignal(query, unreachable);
    }

    Mono<Long> count(Bson filter, Bson index) {
        return Mono.from(transactions.countDocuments(filter, new CountOptions().hint(index)));
    }

    /** The newest matching transactions, after the first {@code skip}. */
    Mono<List<Transaction>> newest(ListFilter filter, int skip, int limit) {
        return read(filter, Sorts.descending(TransactionFields.ID), skip, limit);
    }

    /** The oldest matching transactions, after the first {@code skip}, in the order of the list: newest first. */
    Mono<List<Transaction>> oldest(ListFilter filter, int skip, int limit) {
        return read(filter, Sorts.ascending(TransactionFields.ID), skip, limit).doOnNext(Collections::reverse);
    }

    private Mono<List<Transaction>> read(ListFilter filter, Bson order, int skip, int limit) {
        return Flux.from(transactions
                        .find(filter.bson())
                        .hint(filter.index())
                        .sort(order)
                        .skip(skip)
                        .limit(limit)
                        .batchSize(limit))
                .collectList();
    }
}
