package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.CountByKeys.Counted;
import dev.ligeiro.gateway.api.list.CountStore.BucketCount;
import dev.ligeiro.gateway.api.list.CountStore.DayCounts;
import dev.ligeiro.gateway.api.list.CountStore.DayVersions;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.LongReads.CausalSession;
import dev.ligeiro.store.BucketVersionFields;
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
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a range of time: adds valid cached counts of the days, counts the days where they are missing, and counts the young
 * part at the end of the range. If all cached counts are valid, this takes three queries in two rounds, however many days the range has.
 *
 * <p>The young part begins after the last cached bucket of the last day, and is counted for each request. When it has too many index keys
 * for one query, its minutes that are over become buckets, and only the time after them is young.
 *
 * <p>A valid cached count is exact, because every count of a day went through these steps in turn before it was cached:
 *
 * <ol>
 *   <li>The versions of the day and its minutes are read, after they were created if there were none. MongoDB's answer has the time of the
 *       last write that a majority has.
 *   <li>The matches in the day's time buckets are counted, unless a valid count is cached. A count sees at least all that a majority had in step
 *       1: they have a causally consistent session.
 *   <li>A count gets the hash of the versions of its minutes, and is cached if the bucket was settled in step 1.
 * </ol>
 *
 * <p>A cached count is valid while the versions of its minutes have the same hash; all of a day are if the day's version is the same.
 *
 * <p><b>Changes of status.</b> A processor stores a change first, then replaces the versions of the transaction's day and minute in one
 * write, and only then commits the command's offset; after a crash it does all of it again. A count sees all changes that were stored
 * before it. So a count that misses a change began before the versions were replaced; it was cached with versions from before that, and is
 * invalid afterwards. If there was no version to replace, it is created later, and the count sees the change. A count that includes a
 * change whose versions are replaced later becomes invalid too, and is only counted once more. Versions are random numbers: one that a
 * failover has rolled back, or that of an expired document, never comes again. When two gateways write the same day, the later write wins,
 * each with its own versions.
 *
 * <p><b>Inserts.</b> A bucket is settled when no insert into it should come any more. Two clocks must say so. By the gateway's, the bucket
 * ended 15 s ago: no younger ones are counted. By MongoDB's, a majority has a write that was made 8 s after the bucket's end; an idle
 * replica set makes a write every 10 s. A count of a bucket that is not settled is used, but not cached. MongoDB may have carried out an
 * insert later, after a stall. Its command is sent later still: a processor that accepts a transaction whose command Kafka got later than 8
 * s after its creation replaces the versions of its day and minute, and those for filters without a status, in the same order as after a
 * change. So an insert within 15 s is in time for the gateway's clock, and a later one is recognised if the broker's clock is at most 7 s
 * behind that of the gateway which made the id. That is MongoDB's; the producer's own clock is not used.
 *
 * <p><b>Elections.</b> A new primary can show older data than the old one did. Because of the session, a count then waits until it has the
 * data of step 1. The same holds behind {@code mongos}, where each shard has its own elections.
 *
 * <p>For some milliseconds, between the change and the replacement of its versions, a valid count may miss the change.
 */
@Component
class CountDays {

    /** Younger transactions are not counted in buckets. */
    static final Duration SETTLED_AFTER = Duration.ofSeconds(15);

    private static final int DAYS_AT_ONCE = 2;

    /** New counts are written a few at a time, so that they are not lost when a later one fails. */
    private static final int WRITTEN_TOGETHER = 16;

    /** The minutes of the first bucket of a day that has too many keys for one query. */
    private static final long FIRST_MINUTES = 60;

    /**
     * Matches of a bucket among many keys. So few are given their own minutes, because a page reads all keys of the buckets that have its
     * rows.
     */
    private static final int FEW_MATCHES = 4;

    /** A bucket with a smaller part of the keys of one query is read fast anyway. */
    private static final int PART_OF_MANY_KEYS = 8;

    private static final Span EMPTY = Span.ofMillis(0, 0);

    private final LongReads reads;
    private final CountStore store;
    private final CountByKeys keys;
    private final Clock clock;
    private final Counter bucketsCounted;
    private final Counter cachedUsed;

    CountDays(LongReads reads, CountStore store, CountByKeys keys, Clock clock, MeterRegistry registry) {
        this.reads = reads;
        this.store = store;
        this.keys = keys;
        this.clock = clock;
        this.bucketsCounted = Counter.builder("ligeiro.gateway.list.counted")
                .description("Time buckets whose matches were counted for a list")
                .baseUnit("buckets")
                .register(registry);
        this.cachedUsed = Counter.builder("ligeiro.gateway.list.cached.used")
                .description("Days whose cached counts were valid")
                .baseUnit("days")
                .register(registry);
    }

    static final class Progress {

        private final AtomicInteger counted = new AtomicInteger();
        private volatile int days;

        String text() {
            return counted + " of " + days + " days are counted";
        }
    }

    /**
     * Counts the matches in a span.
     *
     * @return empty if the counts of more than {@code missingMax} days are missing
     */
    Mono<Counts> count(Filter filter, Span requested, int missingMax, Progress progress) {
        return sinceFirstDay(filter, requested).flatMap(span -> {
            long first = TimeBucket.minuteUntil(span.firstMilli());
            long settled = TimeBucket.minuteUntil(Math.min(span.endMilli(), clock.millis() - SETTLED_AFTER.toMillis()));
            // in every time zone, dates since 1972 begin with a minute
            boolean wholeMinutes = TimeBucket.millis(first) == span.firstMilli();
            return wholeMinutes && first < settled
                    ? range(filter, span, first, settled)
                            .filter(range -> range.missing().size() <= missingMax)
                            .flatMap(range -> count(range, progress))
                    : keys.count(filter, span).map(count -> Counts.of(span, count));
        });
    }

    /** The part of the span from the tenant's first day on. It is empty if the tenant has no transactions. */
    private Mono<Span> sinceFirstDay(Filter filter, Span span) {
        return keys.firstDay(filter.tenant())
                .map(day ->
                        span.fromMillis(TimeBucket.millis(TimeBucket.day(day).from())))
                .defaultIfEmpty(EMPTY);
    }

    /**
     * Reads the cached counts and versions, and counts the young part.
     *
     * @param first the first minute of the span
     * @param settled the end of its last minute that is over
     */
    private Mono<Range> range(Filter filter, Span span, long first, long settled) {
        long firstDay = TimeBucket.epochDay(first);
        long lastDay = TimeBucket.epochDay(settled - 1);
        return Mono.zip(store.counts(filter, firstDay, lastDay), store.versions(filter, firstDay, lastDay))
                .flatMap(read -> young(filter, span, first, settled, read.getT1())
                        .map(young -> new Range(
                                filter,
                                TimeBucket.days(
                                        first,
                                        TimeBucket.minuteUntil(young.span().firstMilli())),
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

    private Mono<Counts> count(Range range, Progress progress) {
        List<TimeBucket> missing = range.missing();
        int valid = range.days().size() - missing.size();
        cachedUsed.increment(valid);
        progress.counted.set(valid);
        progress.days = range.days().size();
        // when several gateways count the same filter, each begins elsewhere and finds most of the other days counted
        List<TimeBucket> inAnyOrder = new ArrayList<>(missing);
        Collections.shuffle(inAnyOrder, ThreadLocalRandom.current());
        // without MongoDB both counts fail, and Reactor would log the second failure, which has no subscriber
        AtomicBoolean failed = new AtomicBoolean();
        return createVersions(range, missing)
                .thenMany(Flux.fromIterable(inAnyOrder))
                .flatMap(
                        part -> count(range.filter(), part).onErrorComplete(failure -> failed.getAndSet(true)),
                        DAYS_AT_ONCE)
                .doOnNext(day -> progress.counted.incrementAndGet())
                .collectMap(DayCounts::epochDay)
                .map(range::counts);
    }

    private Mono<Void> createVersions(Range range, List<TimeBucket> missing) {
        return range.filter().hasStatus()
                ? store.createVersions(
                        range.filter().tenant(),
                        missing.stream()
                                .map(TimeBucket::epochDay)
                                .filter(day -> !range.versions.containsKey(day))
                                .toList())
                : Mono.empty();
    }

    /** Counts a part of a day; the result covers it. */
    private Mono<DayCounts> count(Filter filter, TimeBucket part) {
        long day = part.epochDay();
        return reads.inSession(session -> Mono.zip(store.versions(session, filter, day), store.counts(filter, day, day))
                .flatMap(read -> {
                    DayCounts before = read.getT2()
                            .getOrDefault(day, new DayCounts(day, read.getT1().ofDay(), List.of()));
                    Walk walk = new Walk(filter, part, session, read.getT1(), before);
                    return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.defer(walk::end));
                }));
    }

    /**
     * A range before its missing days are counted.
     *
     * @param days the parts of its days before the young part, the newest first
     * @param cached the cached counts by day
     * @param versions the versions of whole days
     * @param young the matches from the end of the last day on
     */
    private record Range(
            Filter filter,
            List<TimeBucket> days,
            Map<Long, DayCounts> cached,
            Map<Long, Long> versions,
            Counts.Part young) {

        /** The newest first. */
        private List<TimeBucket> missing() {
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

    /**
     * Goes through a part of a day from its start to its end, and counts where no valid count is cached. A bucket with too many keys for one
     * query is tried again with fewer minutes, and after one with few keys the next one gets twice as many. A bucket of one minute is counted
     * however many keys it has. Not for use by two threads at once.
     */
    private final class Walk {

        private final Filter filter;
        private final TimeBucket part;
        private final CountByKeys keys;
        private final DayVersions current;

        /** A count in the session sees all transactions created before this time, in milliseconds of the epoch, but for late inserts. */
        private final long completeUntil;

        /** Valid counts by the first minute of their bucket. */
        private final TreeMap<Long, BucketCount> counts = new TreeMap<>();

        private long at;
        private long minutes = TimeBucket.MINUTES_OF_DAY;
        private int unwritten;

        private Walk(Filter filter, TimeBucket part, CausalSession session, DayVersions current, DayCounts before) {
            this.filter = filter;
            this.part = part;
            this.keys = CountDays.this.keys.in(session);
            this.completeUntil =
                    session.seenAt().minus(BucketVersionFields.INSERT_MAX).toEpochMilli();
            this.current = current;
            this.at = part.from();
            // with a new version of the day, the next list need not compare those of the minutes
            this.unwritten = before.version() == current.ofDay() ? 0 : 1;
            for (BucketCount each : before.buckets()) {
                boolean cut = part.overlaps(each.bucket()) && !part.contains(each.bucket());
                if (!cut && each.version() == current.of(each.bucket())) {
                    counts.put(each.bucket().from(), each);
                }
            }
            passCounted();
        }

        private boolean goesOn() {
            return at < part.before();
        }

        private Mono<Void> step() {
            if (!goesOn()) {
                return Mono.empty();
            }
            Map.Entry<Long, BucketCount> next = counts.higherEntry(at);
            long gapEnd = next == null ? part.before() : Math.min(next.getKey(), part.before());
            TimeBucket bucket = new TimeBucket(at, Math.min(gapEnd, at + minutes));
            long keysMax = bucket.minutes() == 1 ? Long.MAX_VALUE : keys.keysMax(filter);
            return keys.upTo(filter, bucket.span(), keysMax).singleOptional().flatMap(counted -> {
                if (counted.isEmpty()) {
                    minutes = bucket.minutes() > FIRST_MINUTES ? FIRST_MINUTES : bucket.minutes() / 2;
                    return Mono.empty();
                }
                bucketsCounted.increment();
                if (counted.get().keys() <= keys.keysMax(filter) / 2) {
                    minutes = Math.min(2 * minutes, TimeBucket.MINUTES_OF_DAY);
                }
                return minutesOfFew(bucket, counted.get())
                        .doOnNext(found -> divide(bucket, found))
                        .switchIfEmpty(Mono.fromRunnable(
                                () -> add(bucket, counted.get().matches())))
                        .then(Mono.defer(this::writeSome));
            });
        }

        /** How many matches each minute has that has any, the earliest first; empty unless there are few among many keys. */
        private Mono<TreeMap<Long, Long>> minutesOfFew(TimeBucket bucket, Counted counted) {
            boolean few = counted.matches() > 0 && counted.matches() <= FEW_MATCHES;
            boolean manyKeys = !filter.isOneTerm() && counted.keys() > keys.keysMax(filter) / PART_OF_MANY_KEYS;
            return !few || !manyKeys
                    ? Mono.empty()
                    : keys.newest(filter, bucket.span(), FEW_MATCHES + 1)
                            // more of them match meanwhile
                            .filter(ids -> ids.size() <= FEW_MATCHES)
                            .map(ids -> ids.stream()
                                    .collect(Collectors.groupingBy(
                                            id -> TimeBucket.minuteUntil(
                                                    id.createdAt().toEpochMilli()),
                                            TreeMap::new,
                                            Collectors.counting())));
        }

        private void divide(TimeBucket bucket, TreeMap<Long, Long> matchesOfMinutes) {
            long from = bucket.from();
            for (Map.Entry<Long, Long> minute : matchesOfMinutes.entrySet()) {
                add(new TimeBucket(from, minute.getKey()), 0);
                from = minute.getKey() + 1;
                add(new TimeBucket(minute.getKey(), from), minute.getValue());
            }
            add(new TimeBucket(from, bucket.before()), 0);
        }

        private void add(TimeBucket bucket, long matches) {
            if (bucket.minutes() > 0) {
                counts.put(bucket.from(), new BucketCount(bucket, current.of(bucket), matches));
            }
        }

        private Mono<Void> writeSome() {
            passCounted();
            return ++unwritten < WRITTEN_TOGETHER ? Mono.empty() : write();
        }

        private void passCounted() {
            for (BucketCount here = counts.get(at); here != null && goesOn(); here = counts.get(at)) {
                at = here.bucket().before();
            }
        }

        private Mono<Void> write() {
            unwritten = 0;
            DayCounts settled = counts(bucket -> TimeBucket.millis(bucket.before()) <= completeUntil);
            return settled.buckets().isEmpty() ? Mono.empty() : store.write(filter, settled);
        }

        private Mono<DayCounts> end() {
            return (unwritten == 0 ? Mono.<Void>empty() : write()).thenReturn(counts(part::contains));
        }

        private DayCounts counts(Predicate<TimeBucket> condition) {
            return new DayCounts(
                    part.epochDay(),
                    current.ofDay(),
                    counts.values().stream()
                            .filter(each -> condition.test(each.bucket()))
                            .toList());
        }
    }
}
