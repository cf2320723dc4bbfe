package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.count.BackgroundCounts.Progress;
import dev.ligeiro.gateway.api.list.count.DayCounts.BucketCount;
import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a range of time: adds valid cached counts of the days, counts the days where they are missing, and counts the young
 * part at the end of the range. If all cached counts are valid, this takes three queries in two rounds, however many days the range has.
 *
 * <p>The young part begins after the last cached bucket of the last day, and is counted for each request. When it has too many index keys
 * for one query, its minutes that are over become buckets, and only the time after them is young.
 */
@Component
class CountRange {

    /** Younger transactions are not counted in buckets: {@link CountDays} says why. */
    static final Duration SETTLED_AFTER = Duration.ofSeconds(15);

    private static final int DAYS_AT_ONCE = 2;

    private static final Span EMPTY = Span.ofMillis(0, 0);

    private final CountDays days;
    private final CachedCountStore cached;
    private final DayVersionStore versions;
    private final CountByKeys keys;
    private final Counter cachedUsed;
    private final Clock clock;

    CountRange(
            CountDays days,
            CachedCountStore cached,
            DayVersionStore versions,
            CountByKeys keys,
            MeterRegistry registry,
            Clock clock) {
        this.days = days;
        this.cached = cached;
        this.versions = versions;
        this.keys = keys;
        this.cachedUsed = Counter.builder("ligeiro.gateway.list.cached.used")
                .description("Days whose cached counts were valid")
                .baseUnit("days")
                .register(registry);
        this.clock = clock;
    }

    /** Reads the cached counts of the range, and counts its young part. */
    Mono<Plan> plan(Filter filter, Span requested) {
        return since(filter.tenant(), requested).flatMap(span -> {
            long first = TimeBucket.minuteUntil(span.firstMilli());
            long settled = TimeBucket.minuteUntil(Math.min(span.endMilli(), clock.millis() - SETTLED_AFTER.toMillis()));
            // in every time zone, dates since 1972 begin with a minute
            boolean wholeMinutes = TimeBucket.millis(first) == span.firstMilli();
            return wholeMinutes && first < settled
                    ? plan(filter, span, first, settled)
                    : keys.count(filter, span)
                            .map(count ->
                                    new Plan(filter, List.of(), Map.of(), Map.of(), new Counts.Part(span, count)));
        });
    }

    /** The part of the span from the tenant's first day on. It is empty if the tenant has no transactions. */
    private Mono<Span> since(Tenant tenant, Span span) {
        return keys.firstDay(tenant)
                .map(day ->
                        span.fromMillis(TimeBucket.millis(TimeBucket.day(day).from())))
                .defaultIfEmpty(EMPTY);
    }

    /**
     * @param first the first minute of the span
     * @param settled the end of its last minute that is over
     */
    private Mono<Plan> plan(Filter filter, Span span, long first, long settled) {
        long firstDay = TimeBucket.epochDay(first);
        long lastDay = TimeBucket.epochDay(settled - 1);
        Mono<Map<Long, Long>> current = versions.ofDays(filter, firstDay, lastDay);
        return Mono.zip(cached.read(filter, firstDay, lastDay), current).flatMap(read -> young(
                        filter, span, first, settled, read.getT1())
                .map(young -> new Plan(
                        filter,
                        TimeBucket.days(
                                first, TimeBucket.minuteUntil(young.span().firstMilli())),
                        read.getT1(),
                        read.getT2(),
                        young)));
    }

    private Mono<Counts.Part> young(Filter filter, Span span, long first, long settled, Map<Long, DayCounts> cached) {
        TimeBucket lastDay = TimeBucket.days(first, settled).get(0);
        DayCounts ofLastDay = cached.getOrDefault(lastDay.epochDay(), new DayCounts(lastDay.epochDay(), 0, List.of()));
        long begin = ofLastDay.within(lastDay).stream()
                .mapToLong(each -> each.bucket().before())
                .max()
                .orElse(lastDay.from());
        Span sinceBucket = span.fromMillis(TimeBucket.millis(begin));
        Span sinceSettled = span.fromMillis(TimeBucket.millis(settled));
        return keys.upTo(filter, sinceBucket, keys.keysMax(filter))
                .map(counted -> new Counts.Part(sinceBucket, counted.matches()))
                .switchIfEmpty(Mono.defer(() -> keys.count(filter, sinceSettled))
                        .map(count -> new Counts.Part(sinceSettled, count)));
    }

    /** Counts the days whose counts are missing. */
    Mono<Counts> count(Plan plan, Progress progress) {
        List<TimeBucket> missing = plan.missing();
        int valid = plan.days().size() - missing.size();
        cachedUsed.increment(valid);
        progress.start(valid, plan.days().size());
        return countDays(plan, missing)
                .doOnNext(day -> progress.counted())
                .collectMap(DayCounts::epochDay)
                .map(plan::counts);
    }

    /**
     * Counts some of the days whose counts are missing, at most {@code max}, and caches the counts. They are the oldest ones: recent days
     * change more often, and would be counted by each repeat.
     */
    Mono<Void> countOldest(Plan plan, int max) {
        List<TimeBucket> missing = plan.missing();
        return countDays(plan, missing.subList(Math.max(0, missing.size() - max), missing.size()))
                .then();
    }

    private Flux<DayCounts> countDays(Plan plan, List<TimeBucket> missing) {
        // when several gateways count the same filter, each begins elsewhere and finds most of the other days counted
        List<TimeBucket> inAnyOrder = new ArrayList<>(missing);
        Collections.shuffle(inAnyOrder, ThreadLocalRandom.current());
        // without MongoDB both counts fail, and Reactor would log the second failure, which has no subscriber
        AtomicBoolean failed = new AtomicBoolean();
        return createVersions(plan, missing)
                .thenMany(Flux.fromIterable(inAnyOrder))
                .flatMap(
                        part -> days.count(plan.filter(), part).onErrorComplete(failure -> failed.getAndSet(true)),
                        DAYS_AT_ONCE);
    }

    private Mono<Void> createVersions(Plan plan, List<TimeBucket> missing) {
        if (!plan.filter().hasStatus()) {
            return Mono.empty();
        }
        List<Long> without = missing.stream()
                .map(TimeBucket::epochDay)
                .filter(day -> !plan.versions.containsKey(day))
                .toList();
        return versions.create(plan.filter().tenant(), without);
    }

    /**
     * A range before its missing days are counted.
     *
     * @param days the parts of its days before the young part, the newest first
     * @param cached the cached counts by day
     * @param versions the versions of whole days
     * @param young the matches from the end of the last day on
     */
    record Plan(
            Filter filter,
            List<TimeBucket> days,
            Map<Long, DayCounts> cached,
            Map<Long, Long> versions,
            Counts.Part young) {

        /** The newest first. */
        List<TimeBucket> missing() {
            return days.stream().filter(part -> !isValid(part)).toList();
        }

        private boolean isValid(TimeBucket part) {
            DayCounts counts = cached.get(part.epochDay());
            Long version = versions.get(part.epochDay());
            if (version == null && !filter.hasStatus()) {
                version = DayVersions.NO_INSERTS;
            }
            return counts != null && version != null && counts.version() == version && counts.cover(part);
        }

        /** @param counted the missing days */
        private Counts counts(Map<Long, DayCounts> counted) {
            Map<Long, DayCounts> all = new HashMap<>(cached);
            all.putAll(counted);
            List<Counts.Part> parts = new ArrayList<>();
            parts.add(young);
            for (TimeBucket day : days) {
                List<BucketCount> oldestFirst =
                        Objects.requireNonNull(all.get(day.epochDay())).within(day);
                for (int i = oldestFirst.size() - 1; i >= 0; i--) {
                    BucketCount each = oldestFirst.get(i);
                    parts.add(new Counts.Part(each.bucket().span(), each.count()));
                }
            }
            return new Counts(parts);
        }
    }
}
