package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.count.CountDays.CountedDay;
import dev.ligeiro.gateway.list.match.Span;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a range of time: adds kept counts, and counts the slices that have none. With all whole days kept it takes six
 * queries in two rounds, besides those of slices that have changed.
 */
class CountRange {

    private final ReadKeptCounts kept;
    private final CountDays days;
    private final CountMetrics metrics;

    CountRange(ReadKeptCounts kept, CountDays days, CountMetrics metrics) {
        this.kept = kept;
        this.days = days;
        this.metrics = metrics;
    }

    /**
     * Reads the kept counts, and counts the ends of the range.
     *
     * @param cover of the span
     */
    Mono<RangePlan> plan(CountQueries queries, Span span, Cover cover) {
        Mono<Long> old = queries.count(span.beforeMillis(cover.firstSlice()));
        return Mono.zip(young(queries, span, cover), old, kept.wholeDays(queries, cover))
                .map(known ->
                        new RangePlan(known.getT1().cover(), known.getT1().count(), known.getT2(), known.getT3()));
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

    /** Counts what the plan does not know. */
    Mono<Counts> count(CountQueries queries, RangePlan plan, Progress progress) {
        List<Cover.Day> open = plan.open();
        int known = plan.days().size() - open.size();
        metrics.used(known);
        progress.known(known, plan.days().size());
        return days.count(queries, open, plan.whole().versions())
                .doOnNext(day -> progress.counted())
                .collectMap(CountedDay::epochDay, CountedDay::segments)
                .map(plan::counts);
    }

    private record Young(Cover cover, long count) {}
}
