package dev.ligeiro.processor.due;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A pass that sends another command for each row that is still due although its command was processed; see {@link DueAges}.
 *
 * @param previousAt when the pass before this one began
 * @param at when this pass began. The processors had by then processed every command that was sent
 * @param limit where this pass ends: the rows from here on had no command yet when it began
 * @param cursor the position that this pass has reached
 */
record DueRepeat(Instant previousAt, Instant at, DuePosition limit, DuePosition cursor) {

    /** Before the first pass. */
    static final DueRepeat NONE = new DueRepeat(Instant.EPOCH, Instant.EPOCH, DuePosition.FIRST, DuePosition.FIRST);

    /** The next part; empty at the end of the pass. */
    Optional<DueRange> next() {
        return DueAges.reached(previousAt, at).stream()
                .map(range -> range.within(cursor, limit))
                .filter(range -> !range.isEmpty())
                .findFirst();
    }

    DueRepeat movedTo(DuePosition position) {
        return new DueRepeat(previousAt, at, limit, position);
    }

    /**
     * The next pass if this one has ended long enough ago, otherwise this one. A pass that begins in the future is by a clock that is
     * ahead; a pass over all rows replaces it.
     */
    DueRepeat nextPass(Instant now, DuePosition nextLimit) {
        if (at.isAfter(now)) {
            return new DueRepeat(Instant.EPOCH, now, nextLimit, DuePosition.FIRST);
        }
        boolean tooSoon = Duration.between(at, now).compareTo(DueAges.FIRST) < 0;
        return tooSoon || next().isPresent() ? this : new DueRepeat(at, now, nextLimit, DuePosition.FIRST);
    }
}
