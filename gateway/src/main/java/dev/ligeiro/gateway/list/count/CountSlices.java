package dev.ligeiro.gateway.list.count;

import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts matches in slices of one day. A slice whose kept count is valid is not counted. A split slice is counted by its children. */
final class CountSlices {

    private final CountQueries queries;
    private final ValidCounts kept;
    private final NewCounts newCounts;
    private final CountMetrics metrics;

    /** @param newCounts of the same day */
    CountSlices(CountQueries queries, ValidCounts kept, NewCounts newCounts, CountMetrics metrics) {
        this.queries = queries;
        this.kept = kept;
        this.newCounts = newCounts;
        this.metrics = metrics;
    }

    /** The counts of these slices or of their parts, in the order of the slices. */
    Mono<List<Segment>> count(List<Slice> slices) {
        return countAll(slices).flatMap(segments -> newCounts.keepRest().thenReturn(segments));
    }

    private Mono<List<Segment>> countAll(List<Slice> slices) {
        return Flux.fromIterable(slices).concatMap(this::count).collect(ArrayList::new, List::addAll);
    }

    private Mono<List<Segment>> count(Slice slice) {
        KeptCount valid = kept.valid(slice);
        if (valid != null) {
            return Mono.just(List.of(Segment.of(slice, valid.count(), valid.split())));
        }
        if (kept.isCountedByChildren(slice)) {
            return countChildren(slice, isSplit(slice));
        }
        return queries.countInOneQuery(slice)
                .doOnNext(count -> metrics.counted())
                .flatMap(count -> newCounts.add(slice, count, false).thenReturn(Segment.of(slice, count, false)))
                .map(List::of)
                .switchIfEmpty(Mono.defer(() -> countChildren(slice, true)));
    }

    /** Without an earlier count, a slice may be split: with several terms, few matches may have many keys. */
    private boolean isSplit(Slice slice) {
        KeptCount earlier = kept.counts().get(slice);
        return earlier == null ? queries.filter().terms().size() > 1 : earlier.split();
    }

    private Mono<List<Segment>> countChildren(Slice slice, boolean isSplit) {
        return countAll(slice.children()).flatMap(children -> {
            long count = children.stream().mapToLong(Segment::count).sum();
            return newCounts
                    .add(slice, count, isSplit || count > queries.keysMax())
                    .thenReturn(children);
        });
    }
}
