package dev.ligeiro.gateway.api.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.count.BackgroundCounts.Progress;
import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a filter exactly. A filter with few matches is counted for each request. For one with many, counts are cached
 * ({@link CountDays} says why they are exact). A request that would wait too long for missing counts gets a 503. Counting goes on then; the
 * repeated request begins with the counts that were cached.
 */
@Component
public class CountMatches {

    private static final Duration FILTERS_WITH_MANY_FOR = Duration.ofHours(1);

    private static final int DAYS_AT_ONCE_MAX = 8;
    private static final Duration AT_ONCE_MAX = Duration.ofSeconds(1);

    /** How long a request waits for counts that are missing: less than most clients wait for a response. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(8);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(3);
    private static final Duration RETRY_AFTER_BUSY = Duration.ofSeconds(2);

    private final CountByKeys keys;
    private final CountRange range;
    private final BackgroundCounts background;
    private final BoundedReads reads;
    private final Duration waitMax;
    private final Cache<Filter, Boolean> filtersWithMany = Caffeine.newBuilder()
            .maximumWeight(GatewayMemoryBudget.FILTER_TERMS_MAX)
            .weigher((Filter filter, Boolean many) -> 1 + filter.terms().size())
            .expireAfterWrite(FILTERS_WITH_MANY_FOR)
            .build();

    @Autowired
    CountMatches(CountByKeys keys, CountRange range, BackgroundCounts background, BoundedReads reads) {
        this(keys, range, background, reads, WAIT_MAX);
    }

    CountMatches(
            CountByKeys keys, CountRange range, BackgroundCounts background, BoundedReads reads, Duration waitMax) {
        this.keys = keys;
        this.range = range;
        this.background = background;
        this.reads = reads;
        this.waitMax = waitMax;
    }

    /** @return empty if the counting takes too long for that: see {@link #inBackground} */
    public Mono<Counts> atOnce(Filter filter, Span span) {
        if (filtersWithMany.getIfPresent(filter) != null) {
            return cachedAtOnce(filter, span);
        }
        return keys.upTo(filter, span, keys.keysMax(filter) / 2)
                .map(counted -> new Counts(List.of(new Counts.Part(span, counted.matches()))))
                .switchIfEmpty(Mono.defer(() -> {
                    filtersWithMany.put(filter, true);
                    return cachedAtOnce(filter, span);
                }));
    }

    /** @return empty if it takes longer than a second, or the counts of more than eight days are missing */
    Mono<Counts> cachedAtOnce(Filter filter, Span span) {
        return cached(filter, span, new Progress(), DAYS_AT_ONCE_MAX).timeout(AT_ONCE_MAX, Mono.empty());
    }

    private Mono<Counts> cached(Filter filter, Span span, Progress progress, int daysMax) {
        return range.plan(filter, span)
                .filter(plan -> plan.missing().size() <= daysMax)
                .flatMap(plan -> range.count(plan, progress));
    }

    /**
     * Counts in the background, and waits for the result some seconds at most.
     *
     * @throws Problem 503 if it takes longer: the counting goes on. Also if too many counts run in the background
     */
    public Mono<Counts> inBackground(Filter filter, Span span) {
        return background
                .run(filter, span, progress -> cached(filter, span, progress, Integer.MAX_VALUE))
                .switchIfEmpty(withoutPlace(filter, span))
                .timeout(waitMax, Mono.error(() -> stillCounting(filter, span)));
    }

    /** Counts a few of the oldest missing days, as one of the tenant's lists, so that a repeat has fewer to count. */
    private Mono<Counts> withoutPlace(Filter filter, Span span) {
        Mono<Void> some = Mono.defer(() -> range.plan(filter, span))
                .flatMap(plan -> range.countOldest(plan, DAYS_AT_ONCE_MAX))
                .timeout(AT_ONCE_MAX, Mono.empty());
        return reads.list(filter.tenant(), some)
                .onErrorComplete(Problem.class) // no turn for it
                .then(Mono.error(() -> Problem.unavailable("Other lists are being counted", RETRY_AFTER_BUSY)));
    }

    private Problem stillCounting(Filter filter, Span span) {
        Progress progress = background.progress(filter, span);
        String detail = progress == null ? "" : ": " + progress.text() + " so far";
        return Problem.unavailable("The matching transactions are being counted" + detail + ". Ask again", RETRY_AFTER);
    }

    /** The number of matches with lower ids. */
    public Mono<Long> older(Filter filter, Counts counts, TransactionId id) {
        Mono<Long> inPart = counts.containing(id)
                .map(part -> keys.count(filter, part.span().below(id)))
                .orElse(Mono.just(0L));
        return inPart.map(older -> counts.below(id) + older);
    }
}
