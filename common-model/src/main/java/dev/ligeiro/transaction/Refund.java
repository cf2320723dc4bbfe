package dev.ligeiro.transaction;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A refund as the history tells it.
 *
 * @param source the merchant, or the rail for money that it moved back without a request
 * @param reference the merchant's own identifier; null when not given
 * @param description the merchant's text; null when not given
 */
public record Refund(
        RefundId id,
        Amount amount,
        State state,
        Source source,
        @Nullable String reference,
        @Nullable String description,
        Instant requestedAt) {

    static Refund of(Entry.RefundRequested requested, State state) {
        return new Refund(
                requested.refund(),
                requested.amount(),
                state,
                requested.source(),
                requested.reference(),
                requested.description(),
                requested.at());
    }

    static Amount made(List<Refund> refunds) {
        return sum(refunds, EnumSet.of(State.REFUNDED));
    }

    static Amount reserved(List<Refund> refunds) {
        return sum(refunds, EnumSet.of(State.PROCESSING, State.REFUNDED));
    }

    private static Amount sum(List<Refund> refunds, Set<State> states) {
        return new Amount(refunds.stream()
                .filter(refund -> states.contains(refund.state()))
                .mapToLong(refund -> refund.amount().cents())
                .sum());
    }

    /** The state of a refund. The first is the only one that changes. */
    public enum State implements Coded {
        PROCESSING,
        REFUNDED,
        FAILED
    }
}
