package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A range of time, in milliseconds of the epoch: whole slices in the middle, and at each end a remainder shorter than a slice. Counts of the
 * slices are kept; the ends are counted for each request. The older end has part of a minute, the newer one the transactions that are still being inserted.
 *
 * @param from the start of the range, and of the older end
 * @param slicesFrom the start of the slices: that of the range if it is the start of a minute
 * @param slicesBefore the end of the slices, exclusive, where the newer end starts
 * @param before the end of the range, exclusive
 */
record Cover(long from, long slicesFrom, long slicesBefore, long before) {

    /** The highest time that an id can hold, in the year 10889. */
    private static final long MILLIS_MAX = (1L << 48) - 1;

    /**
     * @param settled up to this time, no transaction will be inserted any more
     * @return a cover with slices up to the last minute before {@code settled}, which may have none
     */
    static Cover of(Span span, long settled) {
        long from = span.firstMilli();
        long slicesFrom = -Slice.Unit.MINUTE.floor(-from);
        long slicesBefore = Slice.Unit.MINUTE.floor(Math.min(span.endMilli(), settled));
        return slicesFrom < slicesBefore
                ? new Cover(from, slicesFrom, slicesBefore, end(span))
                : new Cover(from, from, from, end(span));
    }

    /** The first millisecond after all ids of the span. */
    static long end(Span span) {
        long end = span.endMilli();
        return Span.ofMillis(0, end).before().equals(span.before()) ? end : Math.min(end + 1, MILLIS_MAX);
    }

    /** The same range with slices up to the start of their last hour only. */
    Cover withoutLastHour() {
        long hour = Math.max(slicesFrom, Slice.Unit.HOUR.floor(slicesBefore));
        return new Cover(from, slicesFrom, hour, before);
    }

    boolean hasSlices() {
        return slicesFrom < slicesBefore;
    }

    /** The newest first. */
    List<Day> days() {
        return Slice.covering(slicesFrom, slicesBefore).stream()
                .collect(Collectors.groupingBy(Slice::epochDay, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(day -> new Day(day.getKey(), day.getValue()))
                .toList();
    }

    /**
     * The slices of one day in a range.
     *
     * @param slices the newest first, at least one
     */
    record Day(long epochDay, List<Slice> slices) {}
}
