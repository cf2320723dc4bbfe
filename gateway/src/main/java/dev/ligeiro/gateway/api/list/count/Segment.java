package dev.ligeiro.gateway.api.list.count;

import org.jspecify.annotations.Nullable;

/**
 * The number of matches in a part of the counted time.
 *
 * @param from in milliseconds of the epoch
 * @param before the end, exclusive
 * @param split the slice, if it is split: too many matches to skip in one query, but there are counts of its children. Otherwise null
 */
record Segment(long from, long before, long count, @Nullable Slice split) {

    static Segment of(Slice slice, long count, boolean split) {
        return new Segment(slice.from(), slice.before(), count, split ? slice : null);
    }

    boolean canJoin(Segment older) {
        return from == older.before && split == null && older.split == null;
    }

    /** This segment and the older one that it follows. */
    Segment with(Segment older) {
        return new Segment(older.from, before, count + older.count, null);
    }
}
