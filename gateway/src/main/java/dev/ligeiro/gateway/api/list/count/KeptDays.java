package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.count.Slice.Unit;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.transaction.Tenant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Reads the kept counts of days, and keeps new ones. A valid count is exact, because every kept count went through these steps in turn:
 *
 * <ol>
 *   <li>{@link #read} asks MongoDB which member is the primary, and when the last write was made that a majority has.
 *   <li>It creates versions for the days that have none, then reads the versions of all slices of the days.
 *   <li>{@link CountSlices} counts the slices whose kept counts are missing.
 *   <li>{@link Day#keep} takes the count with the slice's version of step 2, if the slice was settled in step 1.
 *   <li>It asks again which member is the primary, and writes the counts only if it is still that of step 1.
 * </ol>
 *
 * <p><b>Changes of status.</b> A processor stores a change first, then replaces the versions of the transaction's day, hour and minute in
 * one write, and only then commits the command's offset; after a crash it does all of it again. A count sees all changes that were stored
 * before it. So a count that misses a change began before the versions were replaced; it was kept with a version from before that, and is
 * invalid afterwards. If there was no version to replace, step 2 creates it later, and the count sees the change. A count that includes a
 * change whose version is replaced later becomes invalid too, and is only counted once more. Versions are random numbers: a version that a
 * failover has rolled back, or that of an expired document, never comes again. When two gateways keep a count of the same slice, the later
 * write wins, each with its own version. A filter without a status needs no versions.
 *
 * <p><b>Inserts.</b> A slice is settled when no insert into it can come any more. Two clocks must say so. By the gateway's, the slice ended
 * 15 s ago: {@link WaitForCounts} asks for no younger ones. By MongoDB's, a majority has a write that was made 8 s after the slice's end:
 * {@link Primary} has this time from step 1. A slice that is not settled is counted for each request.
 *
 * <p><b>Elections.</b> A new primary can show older data than the old one did. Therefore step 5 drops counts that ran during an election.
 *
 * <p>For some milliseconds, between the change and the replacement of its versions, a valid count may miss the change.
 */
class KeptDays {

    /** New counts of a day are written a few at a time, so that they are not lost when a later slice fails. */
    private static final int WRITTEN_TOGETHER = 16;

    private final KeptCountStore counts;
    private final SliceVersionStore versions;

    KeptDays(KeptCountStore counts, SliceVersionStore versions) {
        this.counts = counts;
        this.versions = versions;
    }

    /** The kept counts of the range's whole days. New counts are not kept with these versions: {@link #read} reads newer ones. */
    Mono<ValidCounts> wholeDays(CountQueries queries, Cover cover) {
        if (!cover.hasSlices()) {
            return Mono.just(new ValidCounts(Map.of(), Versions.CONSTANT));
        }
        long first = Slice.at(Unit.DAY, cover.slicesFrom()).number();
        long last = Slice.at(Unit.DAY, cover.slicesBefore() - 1).number();
        Mono<Versions> current =
                queries.hasStatus() ? versions.wholeDays(queries.tenant(), first, last) : Mono.just(Versions.CONSTANT);
        return Mono.zip(counts.wholeDays(queries.filter(), first, last), current, ValidCounts::new);
    }

    /**
     * The days with their kept counts and those of their hours and minutes, ready to be counted.
     *
     * @param wholeDays tells which of the days have versions
     */
    Mono<List<Day>> read(CountQueries queries, List<Cover.Day> days, Versions wholeDays) {
        return counts.primary()
                .flatMap(primary -> keptCounts(queries, days, wholeDays).map(kept -> days.stream()
                        .map(day -> new Day(queries.filter(), day, kept, primary))
                        .toList()));
    }

    private Mono<ValidCounts> keptCounts(CountQueries queries, List<Cover.Day> days, Versions wholeDays) {
        List<Long> epochDays = days.stream().map(Cover.Day::epochDay).toList();
        return Mono.zip(
                counts.slices(queries.filter(), epochDays),
                createAndReadVersions(queries, epochDays, wholeDays),
                ValidCounts::new);
    }

    private Mono<Versions> createAndReadVersions(CountQueries queries, List<Long> days, Versions wholeDays) {
        if (!queries.hasStatus()) {
            return Mono.just(Versions.CONSTANT);
        }
        Tenant tenant = queries.tenant();
        List<Long> without = days.stream()
                .filter(day -> wholeDays.of(Slice.day(day)) == null)
                .toList();
        return versions.create(tenant, without).then(Mono.defer(() -> versions.slices(tenant, days)));
    }

    /** One day while it is counted. Not for use by two threads at once. */
    final class Day {

        private final Filter filter;
        private final Cover.Day day;
        private final ValidCounts kept;
        private final Primary primary;
        private final Map<Slice, KeptCount> unwritten = new HashMap<>();

        private Day(Filter filter, Cover.Day day, ValidCounts kept, Primary primary) {
            this.filter = filter;
            this.day = day;
            this.kept = kept;
            this.primary = primary;
        }

        long epochDay() {
            return day.epochDay();
        }

        /** The slices to count. */
        List<Slice> slices() {
            return day.slices();
        }

        /** The counts that were kept before. */
        ValidCounts kept() {
            return kept;
        }

        /** Keeps a new count of one of the day's slices, if the slice is settled and has a version. It may be written with later ones. */
        Mono<Void> keep(Slice slice, long count, boolean split) {
            Long version = kept.versions().of(slice);
            boolean isSettled = slice.before() <= primary.completeUntil();
            if (version != null && isSettled) {
                unwritten.put(slice, new KeptCount(version, count, split));
            }
            return unwritten.size() < WRITTEN_TOGETHER ? Mono.empty() : write();
        }

        /** Writes the counts that are not written yet. */
        Mono<Void> keepRest() {
            return unwritten.isEmpty() ? Mono.empty() : write();
        }

        private Mono<Void> write() {
            Map<Slice, KeptCount> now = Map.copyOf(unwritten);
            unwritten.clear();
            return counts.primary().filter(primary::isSame).flatMap(same -> counts.keep(filter, now));
        }
    }
}
