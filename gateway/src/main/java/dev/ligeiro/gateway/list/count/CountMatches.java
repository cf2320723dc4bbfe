package dev.ligeiro.gateway.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.list.match.CountByKeys;
import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.Part;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a filter exactly, and finds rows by the counts. A filter with few matches is counted for each request. For others
 * counts are kept ({@link ValidCounts} says why they are exact). A request that would wait too long for missing counts gets a 503. Counting
 * goes on then; the repeated request begins with the counts that were kept.
 */
public class CountMatches {

    private static final int LARGE_MAX = 10_000;
    private static final Duration LARGE_FOR = Duration.ofHours(1);

    private final CountByKeys keys;
    private final WaitForCounts kept;
    private final FindRow rows;
    private final Cache<Filter, Boolean> large = Caffeine.newBuilder()
            .maximumSize(LARGE_MAX)
            .expireAfterWrite(LARGE_FOR)
            .build();

    CountMatches(CountByKeys keys, WaitForCounts kept, FindRow rows) {
        this.keys = keys;
        this.kept = kept;
        this.rows = rows;
    }

    /** @return empty if there is too much to count at once: see {@link #inBackground} */
    public Mono<Counts> atOnce(Filter filter, Span span) {
        CountQueries queries = CountQueries.of(filter, keys);
        if (large.getIfPresent(filter) != null) {
            return kept.atOnce(queries, span);
        }
        return queries.countIfFew(span).map(count -> Counts.of(span, count)).switchIfEmpty(Mono.defer(() -> {
            large.put(filter, true);
            return kept.atOnce(queries, span);
        }));
    }

    /** @throws Problem 503 if it takes longer than a request waits. The counting goes on */
    public Mono<Counts> inBackground(Filter filter, Span span) {
        return kept.inBackground(CountQueries.of(filter, keys), span);
    }

    /**
     * Where a row is.
     *
     * @param counts of the span
     * @param row counted from 0 at the newest match
     * @return empty if there are not so many matches
     */
    public Mono<Place> find(Filter filter, Span span, Counts counts, long row) {
        return rows.find(CountQueries.of(filter, keys), counts, row)
                .map(end -> new Place(span.beforeMillis(end.before()), end.skip()));
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
