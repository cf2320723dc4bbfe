package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.problem.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** Counts a range with kept counts for one request: at once if that takes a second at most, otherwise in the background. */
class WaitForCounts {

    /** Younger transactions are counted for each request: {@link KeptDays} says why. */
    static final Duration SETTLED_AFTER = Duration.ofSeconds(15);

    private static final int DAYS_AT_ONCE_MAX = 8;
    private static final Duration AT_ONCE_MAX = Duration.ofSeconds(1);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(3);
    private static final Duration RETRY_AFTER_BUSY = Duration.ofSeconds(2);

    private final CountRange range;
    private final BackgroundCounts background;
    private final BoundedReads reads;
    private final Clock clock;
    private final Duration waitMax;
    private final FirstDays firstDays = new FirstDays();

    WaitForCounts(CountRange range, BackgroundCounts background, BoundedReads reads, Clock clock, Duration waitMax) {
        this.range = range;
        this.background = background;
        this.reads = reads;
        this.clock = clock;
        this.waitMax = waitMax;
    }

    /** @return empty if it takes longer than a second, or the counts of more than eight days are missing */
    Mono<Counts> atOnce(CountQueries queries, Span span) {
        return count(queries, span, new Progress(), DAYS_AT_ONCE_MAX).timeout(AT_ONCE_MAX, Mono.empty());
    }

    /**
     * Counts in the background, and waits for the result some seconds at most. If too many counts run there, it counts a few of the oldest
     * missing days itself, as one of the tenant's lists, so that a repeat has fewer to count.
     *
     * @throws Problem 503 if it takes longer: the counting goes on. Also if too many counts run in the background
     */
    Mono<Counts> inBackground(CountQueries queries, Span span) {
        return background
                .run(queries.filter(), span, progress -> count(queries, span, progress, Integer.MAX_VALUE))
                .switchIfEmpty(reads.list(queries.filter().tenant(), countOldestDays(queries, span))
                        .onErrorComplete(Problem.class) // no turn for it
                        .then(Mono.error(() -> Problem.unavailable("Other lists are being counted", RETRY_AFTER_BUSY))))
                .timeout(waitMax, Mono.error(() -> stillCounting(queries.filter(), span)));
    }

    private Mono<Void> countOldestDays(CountQueries queries, Span span) {
        return Mono.defer(() -> firstDays.since(queries, span))
                .filter(since -> !since.isEmpty())
                .flatMap(since -> range.plan(queries, since, cover(since)))
                .flatMap(plan -> range.countOldest(queries, plan, DAYS_AT_ONCE_MAX))
                .timeout(AT_ONCE_MAX, Mono.empty());
    }

    private Mono<Counts> count(CountQueries queries, Span span, Progress progress, int daysMax) {
        return firstDays
                .since(queries, span)
                .flatMap(since -> since.isEmpty()
                        ? Mono.just(new Counts(List.of()))
                        : range.plan(queries, since, cover(since))
                                .filter(plan -> plan.missing().size() <= daysMax)
                                .flatMap(plan -> range.count(queries, plan, progress)));
    }

    private Cover cover(Span span) {
        return Cover.of(span, clock.millis() - SETTLED_AFTER.toMillis());
    }

    private Problem stillCounting(Filter filter, Span span) {
        Progress progress = background.progress(filter, span);
        String detail = progress == null ? "" : ": " + progress.text() + " so far";
        return Problem.unavailable("The matching transactions are being counted" + detail + ". Ask again", RETRY_AFTER);
    }
}
