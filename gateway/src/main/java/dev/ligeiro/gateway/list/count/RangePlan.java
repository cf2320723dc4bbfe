package dev.ligeiro.gateway.list.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kept counts of a range and the counts of its ends, before any slice is counted.
 *
 * @param cover the range
 * @param days its days with slices, the newest first
 * @param young the matches from the end of the slices to the end of the range
 * @param old those from the start of the range to the start of the slices
 * @param whole the kept counts and the versions of whole days
 */
record RangePlan(Cover cover, List<Cover.Day> days, long young, long old, ValidCounts whole) {

    RangePlan(Cover cover, long young, long old, ValidCounts whole) {
        this(cover, cover.days(), young, old, whole);
    }

    /** The days with slices of which no valid count is known, with all their slices in the range, the newest first. */
    List<Cover.Day> open() {
        return days.stream().filter(day -> known(day) == null).toList();
    }

    /** @param counted the segments of the open days */
    Counts counts(Map<Long, List<Segment>> counted) {
        List<Segment> all = new ArrayList<>();
        add(all, cover.lastSlice(), cover.before(), young);
        for (Cover.Day day : days) {
            Segment known = known(day);
            all.addAll(known == null ? counted.getOrDefault(day.epochDay(), List.of()) : List.of(known));
        }
        add(all, cover.from(), cover.firstSlice(), old);
        return new Counts(all);
    }

    /** The matches of a whole day whose kept count is valid, or null. */
    private @Nullable Segment known(Cover.Day day) {
        Slice slice = day.slices().get(0);
        KeptCount valid = day.slices().size() == 1 ? whole.valid(slice) : null;
        return valid == null ? null : Segment.of(slice, valid.count(), valid.split());
    }

    private static void add(List<Segment> all, long from, long before, long count) {
        if (from < before) {
            all.add(new Segment(from, before, count, null));
        }
    }
}
