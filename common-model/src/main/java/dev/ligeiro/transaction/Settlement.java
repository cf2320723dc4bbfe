package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a rail says about a payment that it has made.
 *
 * @param endToEndId the rail's id of the payment; it replaces the one that was generated at creation
 * @param at the rail's time of the payment, truncated to the millisecond
 */
public record Settlement(String endToEndId, Instant at) {

    public Settlement {
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }
}
