package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a transaction's history: a status it took.
 *
 * @param sequence 1 for the creation, then one more for each announced change of the transaction, without gaps
 * @param at when the status was taken, cut to the millisecond
 * @param source who caused it
 * @param reason why, in a word for machines such as {@code rejected_by_rail}; null when the status says it all
 */
public record StatusEvent(int sequence, Status status, Instant at, Source source, @Nullable String reason) {

    public StatusEvent {
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence: " + sequence + " (expected: >= 1)");
        }
        // as the store keeps it: an event that is sent again from the store equals the first one
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Who causes a status. */
    public enum Source {
        MERCHANT,
        RAIL,
        SANDBOX,
        SYSTEM
    }
}
