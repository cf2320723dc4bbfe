package dev.ligeiro.gateway.list.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts matches in slices of one day. A slice whose kept count is valid is not counted. A slice with more index keys than one query may
 * read is counted by its children. Counts are kept a few slices at a time, so that they are not lost when a later slice fails.
 *
 * <p>The versions that are kept with the counts were read before this walk began to count.
 */
final class DayWalk {

    private static final int KEPT_TOGETHER = 16;

    private final CountQueries queries;
    private final ValidCounts kept;
    private final KeptCountStore store;
    private final CountMetrics metrics;
    private final Map<Slice, KeptCount> fresh = new HashMap<>();

    DayWalk(CountQueries queries, ValidCounts kept, KeptCountStore store, CountMetrics metrics) {
        this.queries = queries;
        this.kept = kept;
        this.store = store;
        this.metrics = metrics;
    }

    /** The counts of these slices or of their parts, in the order of the slices. */
    Mono<List<Segment>> count(List<Slice> slices) {
        return countAll(slices).flatMap(segments -> keepFresh(1).thenReturn(segments));
    }

    private Mono<List<Segment>> countAll(List<Slice> slices) {
        return Flux.fromIterable(slices).concatMap(this::count).collect(ArrayList::new, List::addAll);
    }

    private Mono<List<Segment>> count(Slice slice) {
        KeptCount valid = kept.valid(slice);
        if (valid != null) {
            return Mono.just(List.of(Segment.of(slice, valid)));
        }
        if (kept.isCountedByChildren(slice)) {
            return countChildren(slice, mayBeTooLarge(slice));
        }
        return queries.countInOneQuery(slice)
                .doOnNext(count -> metrics.counted())
                .flatMap(count -> add(slice, count, false))
                .map(counted -> List.of(Segment.of(slice, counted)))
                .switchIfEmpty(Mono.defer(() -> countChildren(slice, true)));
    }

    /** With several terms, a slice with few matches may have many keys. */
    private boolean mayBeTooLarge(Slice slice) {
        boolean isCounted = kept.counts().containsKey(slice);
        return isCounted ? kept.isSplit(slice) : queries.filter().terms().size() > 1;
    }

    private Mono<List<Segment>> countChildren(Slice slice, boolean wasTooLarge) {
        return countAll(slice.children()).flatMap(parts -> {
            long count = parts.stream().mapToLong(Segment::count).sum();
            return add(slice, count, wasTooLarge || count > queries.keysMax()).thenReturn(parts);
        });
    }

    private Mono<KeptCount> add(Slice slice, long count, boolean split) {
        Long version = kept.versionToKeep(slice);
        KeptCount counted = new KeptCount(version == null ? 0 : version, count, split);
        if (version != null) {
            fresh.put(slice, counted);
        }
        return keepFresh(KEPT_TOGETHER).thenReturn(counted);
    }

    private Mono<Void> keepFresh(int min) {
        if (fresh.size() < min) {
            return Mono.empty();
        }
        Map<Slice, KeptCount> now = Map.copyOf(fresh);
        fresh.clear();
        return store.keep(queries.filter(), now, kept.primary());
    }
}
