package dev.ligeiro.gateway.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Counts a range with kept counts for one request, which waits some seconds at most.
 *
 * <p>A slice is kept when no insert into it can come any more. Two clocks must say so: by the gateway's, the slice ended 15 s ago; by
 * MongoDB's, a majority has a write that was made 8 s after its end. If one of them does not, the slice is counted for each request.
 */
class WaitForCounts {

    private static final Duration SETTLED_AFTER = Duration.ofSeconds(15);
    /** With more days to count, one request counts, and the others with the same filter wait for it. */
    private static final int DAYS_AT_ONCE_MAX = 8;

    private static final int TENANTS_MAX = 10_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(3);

    private final RangeCount range;
    private final Runs runs;
    private final Clock clock;
    private final Duration waitMax;
    private final Cache<Tenant, Long> firstDays =
            Caffeine.newBuilder().maximumSize(TENANTS_MAX).build();

    WaitForCounts(RangeCount range, Runs runs, Clock clock, Duration waitMax) {
        this.range = range;
        this.runs = runs;
        this.clock = clock;
        this.waitMax = waitMax;
    }

    /** @throws Problem 503 if it takes longer. Counting in the background goes on; that of a few days ends with the request */
    Mono<Counts> of(Matches matches, Span span) {
        return first(matches)
                .map(span::fromMillis)
                .filter(since -> !since.isEmpty())
                .flatMap(since -> count(matches, since, cover(since)))
                .defaultIfEmpty(new Counts(List.of()))
                .timeout(waitMax, Mono.error(() -> stillCounting(matches.filter())));
    }

    /** The start of the day of the tenant's first transaction, in milliseconds of the epoch; empty if it has none. */
    private Mono<Long> first(Matches matches) {
        Long known = firstDays.getIfPresent(matches.tenant());
        return known != null
                ? Mono.just(known)
                : matches.first()
                        .map(at -> Slice.Unit.DAY.floor(at.minus(SETTLED_AFTER).toEpochMilli()))
                        .doOnNext(day -> firstDays.put(matches.tenant(), day));
    }

    private Cover cover(Span span) {
        return Cover.of(span, clock.millis() - SETTLED_AFTER.toMillis());
    }

    private Mono<Counts> count(Matches matches, Span span, Cover cover) {
        return range.plan(matches, span, cover)
                .flatMap(plan -> plan.open().size() <= DAYS_AT_ONCE_MAX
                        ? range.count(matches, plan, new Progress())
                        : runs.run(matches.filter(), progress -> range.count(matches, plan, progress))
                                .switchIfEmpty(Mono.defer(() -> count(matches, span, cover))));
    }

    private Problem stillCounting(Filter filter) {
        Progress progress = runs.progress(filter);
        String detail = progress == null ? "" : ": " + progress.text() + " so far";
        return Problem.unavailable("The matching transactions are being counted" + detail + ". Ask again", RETRY_AFTER);
    }
}
