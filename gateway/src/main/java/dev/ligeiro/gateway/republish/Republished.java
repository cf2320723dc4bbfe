package dev.ligeiro.gateway.republish;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;

/**
 * A republished transaction that was not accepted when it was last looked at.
 *
 * @param copies the number of copies of its command, at least one; while it cannot be decoded, a try counts as a copy
 * @param lastAt the time of the decision to send the last copy
 */
record Republished(TransactionId id, int copies, Instant lastAt) {

    static Republished first(TransactionId id, Instant at) {
        return new Republished(id, 1, at);
    }

    Republished again(Instant at) {
        return new Republished(id, copies + 1, at);
    }

    /** Its last copy was sent by then, whatever the clock of its sender showed. */
    Republished sentBy(Instant latest) {
        return lastAt.isAfter(latest) ? new Republished(id, copies, latest) : this;
    }
}
