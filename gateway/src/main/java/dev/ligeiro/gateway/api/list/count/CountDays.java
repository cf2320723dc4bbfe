package dev.ligeiro.gateway.api.list.count;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts the matches of days by their slices, and keeps the new counts. */
class CountDays {

    /** Days whose slices and versions are read together, just before they are counted. */
    private static final int DAYS_TOGETHER = 4;

    private static final int COUNTS_AT_ONCE = 2;

    private final KeptDays kept;
    private final CountMetrics metrics;

    CountDays(KeptDays kept, CountMetrics metrics) {
        this.kept = kept;
        this.metrics = metrics;
    }

    /**
     * Counts the days' slices, in any order of the days.
     *
     * @param wholeDays the versions of those days that have one
     */
    Flux<CountedDay> count(CountQueries queries, List<Cover.Day> days, Versions wholeDays) {
        return Flux.fromIterable(inAnyOrder(days)).concatMap(group -> countTogether(queries, group, wholeDays));
    }

    /** The counts of the children of a slice that has been counted. */
    Mono<Counts> children(CountQueries queries, Slice slice) {
        Cover.Day day = new Cover.Day(slice.epochDay(), slice.children());
        // its day got versions when it was counted
        return countTogether(queries, List.of(day), Versions.CONSTANT)
                .single()
                .map(counted -> new Counts(counted.segments()));
    }

    /** When several gateways count the same filter, each begins elsewhere and finds most of the other days counted. */
    private static List<List<Cover.Day>> inAnyOrder(List<Cover.Day> days) {
        List<List<Cover.Day>> groups = new ArrayList<>();
        for (int from = 0; from < days.size(); from += DAYS_TOGETHER) {
            groups.add(days.subList(from, Math.min(from + DAYS_TOGETHER, days.size())));
        }
        Collections.shuffle(groups, ThreadLocalRandom.current());
        return groups;
    }

    private Flux<CountedDay> countTogether(CountQueries queries, List<Cover.Day> days, Versions wholeDays) {
        return kept.read(queries, days, wholeDays).flatMapMany(read -> countEach(queries, read));
    }

    private Flux<CountedDay> countEach(CountQueries queries, List<KeptDays.Day> days) {
        // without MongoDB both counts fail, and Reactor would log the second failure, which has no subscriber
        AtomicBoolean failed = new AtomicBoolean();
        return Flux.fromIterable(days)
                .flatMap(
                        day -> new CountSlices(queries, day, metrics)
                                .count()
                                .map(segments -> new CountedDay(day.epochDay(), segments))
                                .onErrorComplete(failure -> failed.getAndSet(true)),
                        COUNTS_AT_ONCE);
    }

    record CountedDay(long epochDay, List<Segment> segments) {}
}
