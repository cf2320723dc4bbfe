package dev.ligeiro.gateway.list.match;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts and reads matching transactions. Only the documents of the shown rows are read, 5 µs each; MongoDB never sorts in memory. Reads
 * see what a majority has.
 */
@Component
public class MatchStore {

    private final TermStore terms;
    private final Intersection intersection;
    private final MongoCollection<Transaction> transactions;

    MatchStore(TermStore terms, Intersection intersection, LongReads reads) {
        this.terms = terms;
        this.intersection = intersection;
        this.transactions = reads.transactions()
                .withReadConcern(ReadConcern.MAJORITY)
                .withTimeout(TermStore.QUERY_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /**
     * Counts the matching transactions of the span, unless it has too many. With one term or none a key costs 0.2 to 0.3 µs, otherwise a
     * key of the rarest term 5 µs.
     *
     * @param scannedMax how many index keys are counted at most, of the rarest term; {@link Long#MAX_VALUE}: no limit
     */
    public Mono<Scan> count(Filter filter, Span span, long scannedMax) {
        if (!filter.isOneTerm()) {
            return intersection.count(filter, span, scannedMax);
        }
        long limit = scannedMax == Long.MAX_VALUE ? scannedMax : scannedMax + 1;
        return terms.count(filter.tenant(), filter.onlyTerm(), span, limit)
                .map(keys -> new Scan(Math.min(keys, scannedMax), keys <= scannedMax));
    }

    /** The time of creation of the tenant's first transaction. */
    public Mono<Optional<Instant>> first(Tenant tenant) {
        return terms.first(tenant).map(TransactionId::createdAt).singleOptional();
    }

    /** The newest matching transactions of the span, after the first {@code skip}. */
    public Mono<List<Transaction>> newest(Filter filter, Span span, long skip, int limit) {
        return newest(filter, List.of(span), skip, limit);
    }

    /**
     * The newest matching transactions, after the first {@code skip}.
     *
     * @param spans the newest first; outside of them there are no matches. A filter of several terms needs them to be fast: without them,
     *     the last page would read all older ids of the rarest term, in search of another row
     */
    public Mono<List<Transaction>> newest(Filter filter, List<Span> spans, long skip, int limit) {
        List<Span> some = spans.stream().filter(span -> !span.isEmpty()).toList();
        if (some.isEmpty()) {
            return Mono.just(List.of());
        }
        return filter.isOneTerm() ? byOneTerm(filter, some, skip, limit) : bySeveral(filter, some, skip, limit);
    }

    private Mono<List<Transaction>> byOneTerm(Filter filter, List<Span> spans, long skip, int limit) {
        Span all = new Span(spans.get(spans.size() - 1).from(), spans.get(0).before());
        IndexQuery query = IndexQuery.of(filter.tenant(), filter.onlyTerm(), all);
        return Flux.from(transactions
                        .find(query.condition())
                        .hint(query.index())
                        .sort(Sorts.descending(TransactionFields.ID))
                        .skip(Math.toIntExact(skip))
                        .limit(limit)
                        .batchSize(limit))
                .collectList();
    }

    /** A status may change between the reading of ids and documents. Then more transactions are read instead. */
    private Mono<List<Transaction>> bySeveral(Filter filter, List<Span> spans, long skip, int limit) {
        return intersection.newest(filter, spans, skip, limit).flatMap(ids -> documents(filter, ids)
                .flatMap(found -> {
                    if (ids.size() < limit || found.size() == limit) {
                        return Mono.just(found);
                    }
                    List<Span> below = spans.stream()
                            .map(span -> span.below(ids.get(limit - 1)))
                            .toList();
                    return newest(filter, below, 0, limit - found.size())
                            .map(more ->
                                    Stream.concat(found.stream(), more.stream()).toList());
                }));
    }

    private Mono<List<Transaction>> documents(Filter filter, List<TransactionId> ids) {
        if (ids.isEmpty()) {
            return Mono.just(List.of());
        }
        IndexQuery query = IndexQuery.byIds(filter, ids);
        return Flux.from(transactions
                        .find(query.condition())
                        .hint(query.index())
                        .sort(Sorts.descending(TransactionFields.ID))
                        .batchSize(ids.size()))
                .collectList();
    }
}
