package dev.ligeiro.processor.due;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the due work of all processors has come.
 *
 * @param cursor the position up to which rows were sent as commands, in the order of due time and id. {@code repeat} sends the rows that
 *     were added before this position later
 * @param repeat the pass over rows that are still due although they were sent
 * @param appendedAt when Kafka appended the latest command; the epoch before the first
 * @param ahead how many commands were sent since the processors' group had last passed all of them
 */
record DueProgress(DuePosition cursor, DueRepeat repeat, Instant appendedAt, int ahead) {

    static final DueProgress NONE = new DueProgress(DuePosition.FIRST, DueRepeat.NONE, Instant.EPOCH, 0);

    /** A row is read this long after its due time: a row that is stored late, or by a clock that is behind, keeps its place. */
    private static final Duration SETTLE = Duration.ofSeconds(1);

    /** The rows that have become due since the cursor's last move; empty when it is too early. */
    Optional<DueRange> newlyDue(Instant now) {
        return Optional.of(new DueRange(cursor, DuePosition.behind(now.minus(SETTLE))))
                .filter(range -> !range.isEmpty());
    }

    /** The processors' group has passed every command sent so far. */
    DueProgress passed(Instant now) {
        DuePosition next = isAhead(now) ? DuePosition.behind(now.minus(SETTLE)) : cursor;
        return new DueProgress(next, repeat.nextPass(now, next), appendedAt, 0);
    }

    /**
     * A processor whose clock is ahead sends rows before their time, and their commands do nothing. Those rows are sent again at their
     * time, instead of waiting until all clocks have reached the cursor.
     */
    private boolean isAhead(Instant now) {
        return cursor.due().isAfter(now);
    }

    DueProgress movedTo(DuePosition position) {
        return new DueProgress(position, repeat, appendedAt, ahead);
    }

    DueProgress repeatedTo(DuePosition position) {
        return new DueProgress(cursor, repeat.movedTo(position), appendedAt, ahead);
    }

    /** Kafka has confirmed {@code commands} more. */
    DueProgress sent(int commands, Instant at) {
        return new DueProgress(cursor, repeat, at.isAfter(appendedAt) ? at : appendedAt, ahead + commands);
    }
}
