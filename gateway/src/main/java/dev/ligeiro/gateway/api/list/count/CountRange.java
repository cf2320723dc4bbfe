package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.count.CountDays.CountedDay;
import dev.ligeiro.gateway.api.list.match.Span;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Counts the matches of a range of time: adds valid counts, and counts where they are missing. With those of all whole days it takes six
 * queries in two rounds.
 */
class CountRange {

    private final KeptDays kept;
    private final CountDays days;
    private final CountMetrics metrics;

    CountRange(KeptDays kept, CountDays days, CountMetrics metrics) {
        this.kept = kept;
        this.days = days;
        this.metrics = metrics;
    }

    /**
     * Reads the kept counts of whole days, and counts the ends of the range.
     *
     * @param cover of the span
     */
    Mono<RangePlan> plan(CountQueries queries, Span span, Cover cover) {
        Mono<Long> olderEnd = queries.count(span.beforeMillis(cover.slicesFrom()));
        return Mono.zip(newerEnd(queries, span, cover), olderEnd, kept.wholeDays(queries, cover))
                .map(read -> new RangePlan(read.getT1().cover(), read.getT1().count(), read.getT2(), read.getT3()));
    }

    /** Counts the whole last hour if it has few matches, otherwise only the time after the last slice. */
    private static Mono<NewerEnd> newerEnd(CountQueries queries, Span span, Cover cover) {
        Cover hours = cover.withoutLastHour();
        Mono<NewerEnd> minutes =
                queries.count(span.fromMillis(cover.slicesBefore())).map(count -> new NewerEnd(cover, count));
        return hours.equals(cover)
                ? minutes
                : queries.countIfFew(span.fromMillis(hours.slicesBefore()))
                        .map(count -> new NewerEnd(hours, count))
                        .switchIfEmpty(minutes);
    }

    /** Counts the days whose counts are missing. */
    Mono<Counts> count(CountQueries queries, RangePlan plan, Progress progress) {
        List<Cover.Day> missing = plan.missing();
        int valid = plan.days().size() - missing.size();
        metrics.used(valid);
        progress.start(valid, plan.days().size());
        return days.count(queries, missing, plan.wholeDays().versions())
                .doOnNext(day -> progress.counted())
                .collectMap(CountedDay::epochDay, CountedDay::segments)
                .map(plan::counts);
    }

    /**
     * Counts some of the days whose counts are missing, at most {@code max}, and keeps the counts. They are the oldest ones: recent days
     * change more often, and would be counted by each repeat.
     */
    Mono<Void> countOldest(CountQueries queries, RangePlan plan, int max) {
        List<Cover.Day> missing = plan.missing();
        List<Cover.Day> oldest = missing.subList(Math.max(0, missing.size() - max), missing.size());
        return days.count(queries, oldest, plan.wholeDays().versions()).then();
    }

    /** @param cover the range without the slices that the count includes */
    private record NewerEnd(Cover cover, long count) {}
}
