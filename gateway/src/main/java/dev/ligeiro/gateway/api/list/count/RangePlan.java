package dev.ligeiro.gateway.api.list.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The valid counts of a range's whole days and the counts of its ends, before any slice is counted.
 *
 * @param cover the range
 * @param days its days with slices, the newest first
 * @param newerEnd the matches from the end of the slices to the end of the range
 * @param olderEnd those from the start of the range to the start of the slices
 * @param wholeDays the kept counts and the versions of whole days
 */
record RangePlan(Cover cover, List<Cover.Day> days, long newerEnd, long olderEnd, ValidCounts wholeDays) {

    RangePlan(Cover cover, long newerEnd, long olderEnd, ValidCounts wholeDays) {
        this(cover, cover.days(), newerEnd, olderEnd, wholeDays);
    }

    /** The days whose counts are missing, with all their slices in the range, the newest first. Days that are not whole are among them. */
    List<Cover.Day> missing() {
        return days.stream().filter(day -> valid(day) == null).toList();
    }

    /** @param counted the segments of the missing days */
    Counts counts(Map<Long, List<Segment>> counted) {
        List<Segment> all = new ArrayList<>();
        add(all, cover.slicesBefore(), cover.before(), newerEnd);
        for (Cover.Day day : days) {
            Segment valid = valid(day);
            all.addAll(valid == null ? counted.getOrDefault(day.epochDay(), List.of()) : List.of(valid));
        }
        add(all, cover.from(), cover.slicesFrom(), olderEnd);
        return new Counts(all);
    }

    /** The matches of a whole day whose kept count is valid, or null. */
    private @Nullable Segment valid(Cover.Day day) {
        Slice slice = day.slices().get(0);
        KeptCount valid = day.slices().size() == 1 ? wholeDays.valid(slice) : null;
        return valid == null ? null : Segment.of(slice, valid.count(), valid.split());
    }

    private static void add(List<Segment> all, long from, long before, long count) {
        if (from < before) {
            all.add(new Segment(from, before, count, null));
        }
    }
}
