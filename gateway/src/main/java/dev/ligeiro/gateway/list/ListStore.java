package dev.ligeiro.gateway.list;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
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

/** Counts and reads what a list shows. A count costs 0.6 µs for each key it passes, a page 5 µs for each document. */
@Component
class ListStore {

    /** A list may count a lot: more time than a single read has. */
    private static final long QUERY_SECONDS_MAX = 10;

    /** A query that is slower than this shows that it is MongoDB's work that takes so long, and not its absence. */
    private static final Duration PING_AFTER = Duration.ofMillis(300);

    /** Held here and not by the driver: its pool lets a call wait behind others that have more time. */
    private static final Duration PING_MAX = Duration.ofMillis(2_200);

    private static final Bson PING = new Document("ping", 1);

    private final MongoCollection<Transaction> transactions;
    private final MongoDatabase database;

    ListStore(MongoCollection<Transaction> transactions, MongoDatabase database) {
        this.transactions = transactions.withTimeout(QUERY_SECONDS_MAX, TimeUnit.SECONDS);
        this.database = database;
    }

    /** {@code query}, which fails within 3 seconds where MongoDB is away, though it has more time to do its work. */
    <T> Mono<T> unlessAway(Mono<T> query) {
        Mono<T> away = Mono.delay(PING_AFTER)
                .then(Mono.defer(() -> Mono.from(database.runCommand(PING))).timeout(PING_MAX))
                .then(Mono.never());
        return Mono.firstWithSignal(query, away);
    }

    Mono<Long> count(Bson filter, Bson index) {
        return Mono.from(transactions.countDocuments(filter, new CountOptions().hint(index)));
    }

    /** The newest that match, after {@code skip} of them. */
    Mono<List<Transaction>> newest(ListFilter filter, int skip, int limit) {
        return read(filter, Sorts.descending(TransactionFields.ID), skip, limit);
    }

    /** The oldest that match, after {@code skip} of them; of those the newest first. */
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
