package dev.ligeiro.gateway.api.list.count;

import java.util.ArrayList;
import java.util.List;

/**
 * A whole day, hour or minute of UTC, by the time of creation that ids hold. A count of matches is kept for each.
 *
 * @param number how many such slices lie between 1970 and its start
 */
record Slice(Unit unit, long number) {

    /** The sizes of slices. Each consists of whole slices of the next one. */
    enum Unit {
        DAY(86_400_000),
        HOUR(3_600_000),
        MINUTE(60_000);

        private final long millis;

        Unit(long millis) {
            this.millis = millis;
        }

        /** The last start of such a slice at or before {@code at}. */
        long floor(long at) {
            return Math.floorDiv(at, millis) * millis;
        }

        private Unit child() {
            return values()[ordinal() + 1];
        }
    }

    /** The slice of this size that contains {@code at}, in milliseconds of the epoch. */
    static Slice at(Unit unit, long at) {
        return new Slice(unit, Math.floorDiv(at, unit.millis));
    }

    static Slice day(long epochDay) {
        return new Slice(Unit.DAY, epochDay);
    }

    /**
     * The largest slices that cover the time exactly, the newest first.
     *
     * @param from in milliseconds of the epoch, at the start of a minute
     * @param before the end, exclusive, at the start of a minute
     */
    static List<Slice> covering(long from, long before) {
        List<Slice> slices = new ArrayList<>();
        long end = before;
        while (end > from) {
            Slice next = endingAt(end, from);
            slices.add(next);
            end = next.from();
        }
        return slices;
    }

    private static Slice endingAt(long end, long from) {
        for (Unit unit : Unit.values()) {
            if (end == unit.floor(end) && end - unit.millis >= from) {
                return at(unit, end - 1);
            }
        }
        throw new IllegalArgumentException("from: " + from + ", before: " + end + " (expected: whole minutes)");
    }

    /** In milliseconds of the epoch. */
    long from() {
        return number * unit.millis;
    }

    /** The end, exclusive. */
    long before() {
        return from() + unit.millis;
    }

    long epochDay() {
        return Math.floorDiv(from(), Unit.DAY.millis);
    }

    /** Of its day, from 0. */
    int numberInDay() {
        return (int) (number - epochDay() * (Unit.DAY.millis / unit.millis));
    }

    boolean isMinute() {
        return unit == Unit.MINUTE;
    }

    /** The newest first. None of a minute. */
    List<Slice> children() {
        if (isMinute()) {
            return List.of();
        }
        long perSlice = unit.millis / unit.child().millis;
        List<Slice> children = new ArrayList<>((int) perSlice);
        for (long i = perSlice - 1; i >= 0; i--) {
            children.add(new Slice(unit.child(), number * perSlice + i));
        }
        return children;
    }
}
