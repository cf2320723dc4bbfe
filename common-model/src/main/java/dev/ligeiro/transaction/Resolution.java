package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What operators have decided about a rail call whose outcome stays unknown. It waits in the rail call while the rail is asked once more.
 *
 * @param id of the operators' decision; the entry of the history that it causes carries it
 * @param moved whether the money has moved
 * @param settlement the payment as the bank names it; null unless a transaction is paid
 * @param at when a processor stored it, truncated to the millisecond
 */
public record Resolution(UUID id, boolean moved, @Nullable Settlement settlement, Instant at) {

    /** The reason of the entries that follow from resolutions. */
    public static final String REASON = "resolved_by_operator";

    public Resolution {
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }
}
