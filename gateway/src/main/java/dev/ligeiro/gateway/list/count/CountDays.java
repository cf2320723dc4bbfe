package dev.ligeiro.gateway.list.count;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts the matches of days by their slices, and keeps the new counts. */
class CountDays {

    /** Days whose slices and versions are read together, just before they are counted. */
    private static final int DAYS_TOGETHER = 4;

    private static final int COUNTS_AT_ONCE = 2;

    private final KeptCountStore store;
    private final ReadKeptCounts kept;
    private final CountMetrics metrics;

    CountDays(KeptCountStore store, ReadKeptCounts kept, CountMetrics metrics) {
        this.store = store;
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

    /** The counts of the slice's children. */
    Mono<Counts> children(CountQueries queries, Slice slice) {
        return store.primary()
                .flatMap(primary -> kept.slices(queries, Set.of(slice.epochDay()), Versions.CONSTANT)
                        .flatMap(counts -> slices(queries, counts, primary).count(slice.children())))
                .map(Counts::new);
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
        List<Long> epochDays = days.stream().map(Cover.Day::epochDay).toList();
        return store.primary().flatMapMany(primary -> kept.slices(queries, epochDays, wholeDays)
                .flatMapMany(counts -> countEach(days, () -> slices(queries, counts, primary))));
    }

    private static Flux<CountedDay> countEach(List<Cover.Day> days, Supplier<CountSlices> ofOneDay) {
        // without MongoDB both counts fail, and Reactor would log the second failure, which has no subscriber
        AtomicBoolean failed = new AtomicBoolean();
        return Flux.fromIterable(days)
                .flatMap(
                        day -> ofOneDay.get()
                                .count(day.slices())
                                .map(segments -> new CountedDay(day.epochDay(), segments))
                                .onErrorComplete(failure -> failed.getAndSet(true)),
                        COUNTS_AT_ONCE);
    }

    /** @param primary before the versions were read */
    private CountSlices slices(CountQueries queries, ValidCounts counts, Primary primary) {
        NewCounts newCounts = new NewCounts(store, queries.filter(), counts.versions(), primary);
        return new CountSlices(queries, counts, newCounts, metrics);
    }

    record CountedDay(long epochDay, List<Segment> segments) {}
}
