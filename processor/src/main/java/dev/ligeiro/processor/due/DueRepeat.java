package dev.ligeiro.processor.due;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A pass over the rows that are still due although their commands were processed; see {@link DueAges}.
 *
 * @param previousAt the begin of the pass before this one
 * @param at the begin of this pass: the processors had processed every command sent until then
 * @param limit the first row without a command at that time; the rows from it on do not belong to this pass
 * @param cursor the rows before it are done
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
