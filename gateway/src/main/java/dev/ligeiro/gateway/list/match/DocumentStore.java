package dev.ligeiro.gateway.list.match;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the documents of the shown rows and no others, 5 µs each; MongoDB never sorts in memory. Reads see what a majority has. */
@Component
class DocumentStore {

    private final BoundedReads bounds;
    private final MongoCollection<Transaction> transactions;

    DocumentStore(LongReads reads, BoundedReads bounds) {
        this.bounds = bounds;
        this.transactions = reads.transactions()
                .withReadConcern(ReadConcern.MAJORITY)
                .withTimeout(TermStore.QUERY_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** The newest transactions of a filter with one term or none. */
    Mono<List<Transaction>> newest(Filter filter, Span span, long skip, int limit) {
        FindPublisher<Transaction> found = find(IndexQuery.of(filter.tenant(), filter.onlyTerm(), span));
        return list(found.skip(Math.toIntExact(skip)), limit);
    }

    /** Those of these transactions that still have the filter's status, the newest first. */
    Mono<List<Transaction>> byIds(Filter filter, List<TransactionId> ids) {
        return ids.isEmpty() ? Mono.just(List.of()) : list(find(IndexQuery.byIds(filter, ids)), ids.size());
    }

    /** With the limit, MongoDB closes the cursor after the first batch; without it, the driver would have to ask for a second one. */
    private Mono<List<Transaction>> list(FindPublisher<Transaction> found, int limit) {
        return bounds.query(Flux.from(found.limit(limit).batchSize(limit)).collectList());
    }

    private FindPublisher<Transaction> find(IndexQuery query) {
        return transactions.find(query.condition()).hint(query.index()).sort(Sorts.descending(TransactionFields.ID));
    }
}
