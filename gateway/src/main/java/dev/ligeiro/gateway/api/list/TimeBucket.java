package dev.ligeiro.gateway.api.list;

import java.util.ArrayList;
import java.util.List;

/**
 * Some whole minutes of one UTC day, by the time of creation that ids hold. The matches in it are counted by one query.
 *
 * @param from the first minute, by its number since 1970
 * @param before the end, exclusive
 */
record TimeBucket(long from, long before) {

    static final int MINUTES_OF_DAY = 1_440;
    private static final long MINUTE_MILLIS = 60_000;

    static TimeBucket day(long epochDay) {
        return new TimeBucket(epochDay * MINUTES_OF_DAY, (epochDay + 1) * MINUTES_OF_DAY);
    }

    /**
     * The parts of a range in each day, the newest first.
     *
     * @param from the first minute
     * @param before the end, exclusive
     */
    static List<TimeBucket> days(long from, long before) {
        List<TimeBucket> days = new ArrayList<>();
        for (long end = before; end > from; ) {
            long start = Math.max(from, day(epochDay(end - 1)).from);
            days.add(new TimeBucket(start, end));
            end = start;
        }
        return days;
    }

    /** The last minute that starts at or before this time, in milliseconds of the epoch. */
    static long minuteUntil(long millis) {
        return Math.floorDiv(millis, MINUTE_MILLIS);
    }

    static long millis(long minute) {
        return minute * MINUTE_MILLIS;
    }

    static long epochDay(long minute) {
        return Math.floorDiv(minute, MINUTES_OF_DAY);
    }

    long epochDay() {
        return epochDay(from);
    }

    long minutes() {
        return before - from;
    }

    boolean contains(TimeBucket other) {
        return from <= other.from && other.before <= before;
    }

    boolean overlaps(TimeBucket other) {
        return from < other.before && other.from < before;
    }

    Span span() {
        return Span.ofMillis(millis(from), millis(before));
    }
}
