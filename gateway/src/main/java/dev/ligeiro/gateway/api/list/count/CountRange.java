package dev.ligeiro.gateway.api.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.count.BackgroundCounts.Progress;
import dev.ligeiro.gateway.api.list.count.DayCounts.BucketCount;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

    /** After a restore or an import, a tenant may have older transactions than before. */
    private static final Duration FIRST_REMEMBERED_FOR = Duration.ofMinutes(10);

    private static final Span EMPTY = Span.ofMillis(0, 0);

    private static final Counts.Part NOTHING_OLDER = new Counts.Part(EMPTY, 0);

    private final CountDays days;
    private final CachedCountStore cached;
    private final DayVersionStore versions;
    private final CountMetrics metrics;
    private final Clock clock;

    /** The starts of tenants' first days, so that no day before them is counted. */
    private final Cache<Tenant, Instant> firstDays = Caffeine.newBuilder()
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .expireAfterWrite(FIRST_REMEMBERED_FOR)
            .build();

    CountRange(CountDays days, CachedCountStore cached, DayVersionStore versions, CountMetrics metrics, Clock clock) {
        this.days = days;
        this.cached = cached;
        this.versions = versions;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Reads the cached counts of the range, and counts its ends. */
    Mono<Plan> plan(CountQueries queries, Span requested) {
        return since(queries, requested).flatMap(span -> {
            long first = TimeBucket.minuteFrom(span.firstMilli());
            long settled = TimeBucket.minuteUntil(Math.min(span.endMilli(), clock.millis() - SETTLED_AFTER.toMillis()));
            return first < settled
                    ? plan(queries, span, first, settled)
                    : queries.count(span)
                            .map(count -> new Plan(
                                    List.of(), Map.of(), Map.of(), new Counts.Part(span, count), NOTHING_OLDER));
        });
    }

    /** The part of the span from the tenant's first day on. It is empty if the tenant has no transactions. */
    private Mono<Span> since(CountQueries queries, Span span) {
        Instant remembered = firstDays.getIfPresent(queries.tenant());
        Mono<Instant> first = remembered != null
                ? Mono.just(remembered)
                : queries.first()
                        // an older transaction may still be inserted
                        .map(at -> at.minus(SETTLED_AFTER).truncatedTo(ChronoUnit.DAYS))
                        .doOnNext(day -> firstDays.put(queries.tenant(), day));
        return first.map(day -> span.fromMillis(day.toEpochMilli())).defaultIfEmpty(EMPTY);
    }

    /**
     * @param first the first minute that is wholly in the span
     * @param settled the end of its last minute that is over
     */
    private Mono<Plan> plan(CountQueries queries, Span span, long first, long settled) {
        Filter filter = queries.filter();
        long firstDay = TimeBucket.epochDay(first);
        long lastDay = TimeBucket.epochDay(settled - 1);
        Mono<Map<Long, Long>> current =
                filter.hasStatus() ? versions.ofDays(filter.tenant(), firstDay, lastDay) : Mono.just(Map.of());
        // mostly empty: only a date of an unusual time zone begins within a minute
        Span older = span.beforeMillis(TimeBucket.millis(first));
        return Mono.zip(cached.read(filter, firstDay, lastDay), current, queries.count(older))
                .flatMap(read -> young(queries, span, first, settled, read.getT1())
                        .map(young -> new Plan(
                                TimeBucket.days(
                                        first,
                                        TimeBucket.minuteUntil(young.span().firstMilli())),
                                read.getT1(),
                                read.getT2(),
                                young,
                                new Counts.Part(older, read.getT3()))));
    }

    private static Mono<Counts.Part> young(
            CountQueries queries, Span span, long first, long settled, Map<Long, DayCounts> cached) {
        TimeBucket lastDay = TimeBucket.days(first, settled).get(0);
        DayCounts ofLastDay = cached.getOrDefault(lastDay.epochDay(), new DayCounts(lastDay.epochDay(), 0, List.of()));
        long begin = ofLastDay.within(lastDay).stream()
                .mapToLong(each -> each.bucket().before())
                .max()
                .orElse(lastDay.from());
        Span sinceBucket = span.fromMillis(TimeBucket.millis(begin));
        Span sinceSettled = span.fromMillis(TimeBucket.millis(settled));
        return queries.upTo(sinceBucket, queries.keysMax())
                .map(counted -> new Counts.Part(sinceBucket, counted.matches()))
                .switchIfEmpty(Mono.defer(() -> queries.count(sinceSettled))
                        .map(count -> new Counts.Part(sinceSettled, count)));
    }

    /** Counts the days whose counts are missing. */
    Mono<Counts> count(CountQueries queries, Plan plan, Progress progress) {
        List<TimeBucket> missing = plan.missing(queries);
        int valid = plan.days().size() - missing.size();
        metrics.used(valid);
        progress.start(valid, plan.days().size());
        return countDays(queries, plan, missing)
                .doOnNext(day -> progress.counted())
                .collectMap(DayCounts::epochDay)
                .map(plan::counts);
    }

    /**
     * Counts some of the days whose counts are missing, at most {@code max}, and caches the counts. They are the oldest ones: recent days
     * change more often, and would be counted by each repeat.
     */
    Mono<Void> countOldest(CountQueries queries, Plan plan, int max) {
        List<TimeBucket> missing = plan.missing(queries);
        return countDays(queries, plan, missing.subList(Math.max(0, missing.size() - max), missing.size()))
                .then();
    }

    private Flux<DayCounts> countDays(CountQueries queries, Plan plan, List<TimeBucket> missing) {
        // when several gateways count the same filter, each begins elsewhere and finds most of the other days counted
        List<TimeBucket> inAnyOrder = new ArrayList<>(missing);
        Collections.shuffle(inAnyOrder, ThreadLocalRandom.current());
        // without MongoDB both counts fail, and Reactor would log the second failure, which has no subscriber
        AtomicBoolean failed = new AtomicBoolean();
        return createVersions(queries, plan, missing)
                .thenMany(Flux.fromIterable(inAnyOrder))
                .flatMap(
                        part -> days.count(queries, part).onErrorComplete(failure -> failed.getAndSet(true)),
                        DAYS_AT_ONCE);
    }

    private Mono<Void> createVersions(CountQueries queries, Plan plan, List<TimeBucket> missing) {
        if (!queries.filter().hasStatus()) {
            return Mono.empty();
        }
        List<Long> without = missing.stream()
                .map(TimeBucket::epochDay)
                .filter(day -> !plan.versions.containsKey(day))
                .toList();
        return versions.create(queries.tenant(), without);
    }

    /**
     * A range before its missing days are counted.
     *
     * @param days the parts of its days before the young part, the newest first
     * @param cached the cached counts by day
     * @param versions the versions of whole days; of filters with a status
     * @param young the matches from the end of the last day on
     * @param older those before the first whole minute
     */
    record Plan(
            List<TimeBucket> days,
            Map<Long, DayCounts> cached,
            Map<Long, Long> versions,
            Counts.Part young,
            Counts.Part older) {

        /** The newest first. */
        List<TimeBucket> missing(CountQueries queries) {
            return days.stream().filter(part -> !isValid(queries, part)).toList();
        }

        private boolean isValid(CountQueries queries, TimeBucket part) {
            DayCounts counts = cached.get(part.epochDay());
            Long version = queries.filter().hasStatus()
                    ? versions.get(part.epochDay())
                    : Long.valueOf(DayVersions.CONSTANT.ofDay());
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
            parts.add(older);
            return new Counts(parts);
        }
    }
}
