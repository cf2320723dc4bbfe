package dev.ligeiro.gateway.list.count;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kept counts of one filter and the versions that tell which of them are valid.
 *
 * <p>A valid count is exact. A processor stores a change of status first, then replaces the versions of the transaction's day, hour and
 * minute in one write, and only then commits the command's offset; after a crash it does all of it again. A gateway reads the version of a
 * slice before it counts the slice. So a count that misses a change was kept with a version from before the replacement, and is invalid
 * after it. A count that includes a change whose version is replaced later becomes invalid too, and is only counted once more. Versions
 * are random numbers: a version that a failover has rolled back, or that of an expired document, never comes again. When two gateways keep
 * a count of the same slice, the later write wins, each with its own version. A new primary can show older data than the old
 * one did. A count that ran during an election is therefore not kept.
 *
 * <p>For some milliseconds, between the change and the replacement of its versions, a valid count may miss the change.
 */
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
