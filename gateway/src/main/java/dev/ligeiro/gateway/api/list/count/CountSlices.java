package dev.ligeiro.gateway.api.list.count;

import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts the matches in slices of one day, and keeps the new counts. A slice whose kept count is valid is not counted. A split slice is
 * counted by its children.
 */
final class CountSlices {

    private final CountQueries queries;
    private final KeptDays.Day day;
    private final CountMetrics metrics;

    CountSlices(CountQueries queries, KeptDays.Day day, CountMetrics metrics) {
        this.queries = queries;
        this.day = day;
        this.metrics = metrics;
    }

    /** The counts of the day's slices or of their parts, in the order of the slices. */
    Mono<List<Segment>> count() {
        return countAll(day.slices()).flatMap(segments -> day.keepRest().thenReturn(segments));
    }

    private Mono<List<Segment>> countAll(List<Slice> slices) {
        return Flux.fromIterable(slices).concatMap(this::count).collect(ArrayList::new, List::addAll);
    }

    private Mono<List<Segment>> count(Slice slice) {
        KeptCount valid = day.kept().valid(slice);
        if (valid != null) {
            return Mono.just(List.of(Segment.of(slice, valid.count(), valid.split())));
        }
        if (day.kept().isCountedByChildren(slice)) {
            return countChildren(slice, isSplit(slice));
        }
        return queries.countInOneQuery(slice)
                .doOnNext(count -> metrics.counted())
                .flatMap(count -> day.keep(slice, count, false).thenReturn(Segment.of(slice, count, false)))
                .map(List::of)
                .switchIfEmpty(Mono.defer(() -> countChildren(slice, true)));
    }

    /** Without an earlier count, a slice may be split: with several terms, few matches may have many keys. */
    private boolean isSplit(Slice slice) {
        KeptCount earlier = day.kept().counts().get(slice);
        return earlier == null ? queries.filter().terms().size() > 1 : earlier.split();
    }

    private Mono<List<Segment>> countChildren(Slice slice, boolean isSplit) {
        return countAll(slice.children()).flatMap(children -> {
            long count = children.stream().mapToLong(Segment::count).sum();
            return day.keep(slice, count, isSplit || count > queries.keysMax()).thenReturn(children);
        });
    }
}
