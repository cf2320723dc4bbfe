package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a rail says about a payment that it has made.
 *
 * @param endToEndId the rail's id of the payment; it replaces the one that was generated at creation
 * @param at the rail's time of the payment, truncated to the millisecond
 * @param payer who has paid a cashin; null when the rail does not tell
 */
public record Settlement(String endToEndId, Instant at, @Nullable Payer payer) {

    public Settlement {
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    public Settlement(String endToEndId, Instant at) {
        this(endToEndId, at, null);
    }

    public Settlement withoutPayer() {
        return new Settlement(endToEndId, at);
    }
}
