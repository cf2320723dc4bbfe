package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a transaction's history: a status and the time of its start.
 *
 * @param sequence 1 for the creation, then the next number for each announced change, without gaps
 * @param at the start of the status, truncated to the millisecond
 * @param source the cause of the change
 * @param reason a code such as {@code rejected_by_rail}; null when the status needs no reason
 */
public record StatusEvent(int sequence, Status status, Instant at, Source source, @Nullable String reason) {

    public StatusEvent {
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence: " + sequence + " (expected: >= 1)");
        }
        // BSON keeps milliseconds: an event rebuilt from the store must equal the first one
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The cause of a status change. */
    public enum Source {
        MERCHANT,
        RAIL,
        SANDBOX,
        SYSTEM
    }
}
