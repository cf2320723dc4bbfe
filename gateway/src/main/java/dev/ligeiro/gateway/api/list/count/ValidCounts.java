package dev.ligeiro.gateway.api.list.count;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kept counts of one filter, and the versions that tell which of them are valid. {@link KeptDays} says why those are exact. */
record ValidCounts(Map<Slice, KeptCount> counts, Versions versions) {

    /** The count of the slice, or null if it is missing: none is kept, or the slice has changed since. */
    @Nullable
    KeptCount valid(Slice slice) {
        KeptCount kept = counts.get(slice);
        Long version = versions.of(slice);
        return kept != null && version != null && kept.version() == version ? kept : null;
    }

    /** Whether to count the slice's children instead of the slice: it was split, or at most a quarter of their counts are missing. */
    boolean isCountedByChildren(Slice slice) {
        KeptCount earlier = counts.get(slice);
        if (earlier != null && earlier.split()) {
            return true;
        }
        List<Slice> children = slice.children();
        long missing = children.stream().filter(child -> valid(child) == null).count();
        return !slice.isMinute() && missing * 4 <= children.size();
    }
}
