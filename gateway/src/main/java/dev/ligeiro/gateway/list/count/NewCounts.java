package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.match.Filter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Keeps new counts of slices of one day a few at a time, so that they are not lost when a later slice fails. They are kept with versions
 * that were read before the first slice was counted. Not for use by two threads at once.
 */
final class NewCounts {

    private static final int KEPT_TOGETHER = 16;

    private final KeptCountStore store;
    private final Filter filter;
    private final Versions versions;
    private final Primary primary;
    private final Map<Slice, KeptCount> toKeep = new HashMap<>();

    /** @param primary before the versions were read */
    NewCounts(KeptCountStore store, Filter filter, Versions versions, Primary primary) {
        this.store = store;
        this.filter = filter;
        this.versions = versions;
        this.primary = primary;
    }

    Mono<Void> add(Slice slice, long count, boolean split) {
        Long version = versionToKeep(slice);
        if (version != null) {
            toKeep.put(slice, new KeptCount(version, count, split));
        }
        return keep(KEPT_TOGETHER);
    }

    Mono<Void> keepRest() {
        return keep(1);
    }

    /** The version with which a count of the slice is kept, or null if it must not be kept. */
    private @Nullable Long versionToKeep(Slice slice) {
        return slice.before() <= primary.completeUntil() ? versions.of(slice) : null;
    }

    private Mono<Void> keep(int min) {
        if (toKeep.size() < min) {
            return Mono.empty();
        }
        Map<Slice, KeptCount> now = Map.copyOf(toKeep);
        toKeep.clear();
        return store.keep(filter, now, primary);
    }
}
