package dev.ligeiro.gateway.api.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Part;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a filter exactly, and finds rows by the counts. A filter with few matches is counted for each request. For one
 * with many, counts are kept ({@link KeptDays} says why they are exact). A request that would wait too long for missing counts gets a
 * 503. Counting goes on then; the repeated request begins with the counts that were kept.
 */
public class CountMatches {

    private static final Duration FILTERS_WITH_MANY_FOR = Duration.ofHours(1);

    private final CountByKeys keys;
    private final WaitForCounts waiting;
    private final FindRow rows;
    private final Cache<Filter, Boolean> filtersWithMany = Caffeine.newBuilder()
            .maximumWeight(GatewayMemoryBudget.FILTER_TERMS_MAX)
            .weigher((Filter filter, Boolean many) -> 1 + filter.terms().size())
            .expireAfterWrite(FILTERS_WITH_MANY_FOR)
            .build();

    CountMatches(CountByKeys keys, WaitForCounts waiting, FindRow rows) {
        this.keys = keys;
        this.waiting = waiting;
        this.rows = rows;
    }

    /** @return empty if the counting takes too long for that: see {@link #inBackground} */
    public Mono<Counts> atOnce(Filter filter, Span span) {
        CountQueries queries = CountQueries.of(filter, keys);
        if (filtersWithMany.getIfPresent(filter) != null) {
            return waiting.atOnce(queries, span);
        }
        return queries.countIfFew(span).map(count -> Counts.of(span, count)).switchIfEmpty(Mono.defer(() -> {
            filtersWithMany.put(filter, true);
            return waiting.atOnce(queries, span);
        }));
    }

    /** @throws Problem 503 if it takes longer than a request waits. The counting goes on */
    public Mono<Counts> inBackground(Filter filter, Span span) {
        return waiting.inBackground(CountQueries.of(filter, keys), span);
    }

    /**
     * Where a row is.
     *
     * @param counts of the span
     * @param row counted from 0 at the newest match
     * @return empty if there are not so many matches
     */
    public Mono<Place> find(Filter filter, Span span, Counts counts, long row) {
        return rows.find(CountQueries.of(filter, keys), span, counts, row);
    }

    /** The number of matches with lower ids. */
    public Mono<Long> older(Filter filter, Counts counts, TransactionId id) {
        return rows.older(CountQueries.of(filter, keys), counts, id);
    }

    /** The parts of the span that have matches, the newest first. */
    public List<Part> parts(Filter filter, Span span, Counts counts) {
        return rows.parts(CountQueries.of(filter, keys), counts, span);
    }
}
