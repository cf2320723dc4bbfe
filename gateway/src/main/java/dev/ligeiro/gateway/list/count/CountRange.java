package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.count.Slice.Unit;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a range of time: adds kept counts, and counts the slices that have none. With all whole days kept it takes six
 * queries in two rounds, besides those of slices that have changed.
 */
class CountRange {

    /** Days whose slices and versions are read together, just before they are counted. */
    private static final int DAYS_TOGETHER = 4;

    private static final int COUNTS_AT_ONCE = 2;
    private static final Primary NOTHING_COMPLETE = new Primary(null, 0);

    private final KeptCountStore kept;
    private final SliceVersionStore versions;
    private final CountMetrics metrics;

    CountRange(KeptCountStore kept, SliceVersionStore versions, CountMetrics metrics) {
        this.kept = kept;
        this.versions = versions;
        this.metrics = metrics;
    }

    /**
     * Reads the kept counts, and counts the ends of the range.
     *
     * @param cover of the span
     */
    Mono<RangePlan> plan(CountQueries queries, Span span, Cover cover) {
        Mono<Long> old = queries.count(span.beforeMillis(cover.firstSlice()));
        return Mono.zip(young(queries, span, cover), old, whole(queries, cover))
                .map(known ->
                        new RangePlan(known.getT1().cover(), known.getT1().count(), known.getT2(), known.getT3()));
    }

    /** Counts what the plan does not know. */
    Mono<Counts> count(CountQueries queries, RangePlan plan, Progress progress) {
        List<Cover.Day> open = plan.open();
        int known = plan.days().size() - open.size();
        metrics.used(known);
        progress.known(known, plan.days().size());
        return Flux.fromIterable(inAnyOrder(open))
                .concatMap(days -> countDays(queries, days, plan.whole().versions()))
                .doOnNext(day -> progress.counted())
                .collectMap(CountedDay::epochDay, CountedDay::segments)
                .map(plan::counts);
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

    private Flux<CountedDay> countDays(CountQueries queries, List<Cover.Day> days, Versions known) {
        // without MongoDB both counts fail, and Reactor would log the second failure, which has no subscriber
        AtomicBoolean failed = new AtomicBoolean();
        return slices(queries, days.stream().map(Cover.Day::epochDay).toList(), known)
                .flatMapMany(kept -> Flux.fromIterable(days)
                        .flatMap(
                                day -> count(queries, day, kept).onErrorComplete(failure -> failed.getAndSet(true)),
                                COUNTS_AT_ONCE));
    }

    private Mono<CountedDay> count(CountQueries queries, Cover.Day day, ValidCounts known) {
        return walk(queries, known).count(day.slices()).map(segments -> new CountedDay(day.epochDay(), segments));
    }

    /** The counts of the slice's children. */
    Mono<Counts> parts(CountQueries queries, Slice slice) {
        return slices(queries, Set.of(slice.epochDay()), Versions.CONSTANT)
                .flatMap(day -> walk(queries, day).count(slice.children()))
                .map(Counts::new);
    }

    /** Counts the whole last hour if it has few matches, otherwise only the time after the last slice. */
    private static Mono<Young> young(CountQueries queries, Span span, Cover cover) {
        Cover hours = cover.withoutLastHour();
        Mono<Young> minutes = queries.count(span.fromMillis(cover.lastSlice())).map(count -> new Young(cover, count));
        return hours.equals(cover)
                ? minutes
                : queries.countIfFew(span.fromMillis(hours.lastSlice()))
                        .map(count -> new Young(hours, count))
                        .switchIfEmpty(minutes);
    }

    private Mono<ValidCounts> whole(CountQueries queries, Cover cover) {
        if (!cover.hasSlices()) {
            return Mono.just(new ValidCounts(Map.of(), Versions.CONSTANT, NOTHING_COMPLETE));
        }
        long first = Slice.at(Unit.DAY, cover.firstSlice()).number();
        long last = Slice.at(Unit.DAY, cover.lastSlice() - 1).number();
        Mono<Versions> current =
                queries.hasStatus() ? versions.wholeDays(queries.tenant(), first, last) : Mono.just(Versions.CONSTANT);
        return Mono.zip(
                kept.wholeDays(queries.filter(), first, last),
                current,
                (counts, now) -> new ValidCounts(counts, now, NOTHING_COMPLETE));
    }

    /** The kept counts of these days' slices. The days have versions from now on. */
    private Mono<ValidCounts> slices(CountQueries queries, Collection<Long> days, Versions known) {
        return kept.primary()
                .flatMap(primary -> Mono.zip(kept.slices(queries.filter(), days), versions(queries, days, known))
                        .map(read -> new ValidCounts(read.getT1(), read.getT2(), primary)));
    }

    private Mono<Versions> versions(CountQueries queries, Collection<Long> days, Versions known) {
        if (!queries.hasStatus()) {
            return Mono.just(Versions.CONSTANT);
        }
        Tenant tenant = queries.tenant();
        List<Long> missing =
                days.stream().filter(day -> known.of(Slice.day(day)) == null).toList();
        return versions.create(tenant, missing).then(Mono.defer(() -> versions.slices(tenant, days)));
    }

    private DayWalk walk(CountQueries queries, ValidCounts known) {
        return new DayWalk(queries, known, kept, metrics);
    }

    private record Young(Cover cover, long count) {}

    private record CountedDay(long epochDay, List<Segment> segments) {}
}
