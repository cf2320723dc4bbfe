package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.count.DayCounts.BucketCount;
import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.CountByKeys.Counted;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.store.CausalSession;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.BucketVersionFields;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of one day, and caches the new counts. A valid cached count is exact, because every count went through these steps in
 * turn before it was cached:
 *
 * <ol>
 *   <li>The versions of the day and its minutes are read. {@link CountRange} has created them if there were none. MongoDB's answer has the time of
 *       the last write that a majority has.
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
 * ended 15 s ago: {@link CountRange} asks for no younger ones. By MongoDB's, a majority has a write that was made 8 s after the bucket's
 * end; an idle replica set makes a write every 10 s. A count of a bucket that is not settled is used, but not cached. MongoDB may have carried out
 * an insert later, after a stall. Its command is sent later still: a processor that accepts a transaction whose command Kafka got later than 8 s
 * after its creation replaces the versions of its day and minute, and those for filters without a status, in the same order as after a
 * change. So an insert within 15 s is in time for the gateway's clock, and a later one is recognised if the broker's clock is at most 7 s behind
 * that of the gateway which made the id. That is MongoDB's; the producer's own clock is not used.
 *
 * <p><b>Elections.</b> A new primary can show older data than the old one did. Because of the session, a count then waits until it has the data of
 * step 1. The same holds behind {@code mongos}, where each shard has its own elections.
 *
 * <p>For some milliseconds, between the change and the replacement of its versions, a valid count may miss the change.
 */
@Component
class CountDays {

    /** New counts are written a few at a time, so that they are not lost when a later one fails. */
    private static final int WRITTEN_TOGETHER = 16;

    /** The minutes of the first bucket of a day that has too many keys for one query. */
    private static final long FIRST_MINUTES = 60;

    private final LongReads reads;
    private final CachedCountStore cached;
    private final DayVersionStore versions;
    private final CountByKeys keys;
    private final Counter bucketsCounted;

    CountDays(
            LongReads reads,
            CachedCountStore cached,
            DayVersionStore versions,
            CountByKeys keys,
            MeterRegistry registry) {
        this.reads = reads;
        this.cached = cached;
        this.versions = versions;
        this.keys = keys;
        this.bucketsCounted = Counter.builder("ligeiro.gateway.list.counted")
                .description("Time buckets whose matches were counted for a list")
                .baseUnit("buckets")
                .register(registry);
    }

    /**
     * Counts a part of a day.
     *
     * @return the counts cover the part
     */
    Mono<DayCounts> count(Filter filter, TimeBucket part) {
        long day = part.epochDay();
        return reads.inSession(session -> Mono.zip(versions.read(session, filter, day), cached.read(filter, day, day))
                .flatMap(read -> {
                    DayCounts before = read.getT2()
                            .getOrDefault(day, new DayCounts(day, read.getT1().ofDay(), List.of()));
                    Walk walk = new Walk(filter, part, session, read.getT1(), before);
                    return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.defer(walk::end));
                }));
    }

    /** A count in the session sees all transactions created before this time, in milliseconds of the epoch, but for late inserts. */
    private static long completeUntil(CausalSession session) {
        return session.seenAt().minus(BucketVersionFields.INSERT_MAX).toEpochMilli();
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
        private final long completeUntil;
        private final DayVersions current;

        /** Valid counts by the first minute of their bucket. */
        private final TreeMap<Long, BucketCount> counts = new TreeMap<>();

        private long at;
        private long minutes = TimeBucket.MINUTES_OF_DAY;
        private int unwritten;

        Walk(Filter filter, TimeBucket part, CausalSession session, DayVersions current, DayCounts before) {
            this.filter = filter;
            this.part = part;
            this.keys = CountDays.this.keys.in(session);
            this.completeUntil = completeUntil(session);
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

        boolean goesOn() {
            return at < part.before();
        }

        Mono<Void> step() {
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
                return add(bucket, counted.get());
            });
        }

        private Mono<Void> add(TimeBucket bucket, Counted counted) {
            bucketsCounted.increment();
            counts.put(bucket.from(), new BucketCount(bucket, current.of(bucket), counted.matches()));
            if (counted.keys() <= keys.keysMax(filter) / 2) {
                minutes = Math.min(2 * minutes, TimeBucket.MINUTES_OF_DAY);
            }
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
            return settled.buckets().isEmpty() ? Mono.empty() : cached.write(filter, settled);
        }

        Mono<DayCounts> end() {
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
