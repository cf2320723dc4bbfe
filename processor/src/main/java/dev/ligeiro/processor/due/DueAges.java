package dev.ligeiro.processor.due;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When a row gets another command because it is still due although its command was processed: 5, 10, 20, … 320 s after its due time,
 * then every 10 minutes. Such a row appeared late in the index, its command was lost, or its command became a dead letter. The growing
 * pauses bound the dead letters without a memory of single rows.
 */
final class DueAges {

    /** The first age, and the shortest interval between two passes over repeated rows. */
    static final Duration FIRST = Duration.ofSeconds(5);

    private static final Duration LAST = Duration.ofSeconds(320);
    private static final Duration EVERY = Duration.ofMinutes(10);

    private DueAges() {}

    /** The rows that reach one of the ages after {@code previous} and until {@code now}, in ascending ranges. */
    static List<DueRange> reached(Instant previous, Instant now) {
        List<DueRange> ranges = new ArrayList<>();
        for (Duration age = FIRST; age.compareTo(LAST) <= 0; age = age.multipliedBy(2)) {
            ranges.add(new DueRange(DuePosition.behind(previous.minus(age)), DuePosition.behind(now.minus(age))));
        }
        if (slot(previous) != slot(now)) {
            ranges.add(new DueRange(DuePosition.FIRST, DuePosition.behind(now.minus(EVERY))));
        }
        return DueRange.merged(ranges);
    }

    private static long slot(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), EVERY.toMillis());
    }
}
