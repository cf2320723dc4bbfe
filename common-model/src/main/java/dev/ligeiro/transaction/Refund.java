package dev.ligeiro.transaction;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A refund as the history tells it.
 *
 * @param source the merchant, the rail for money that it moved back without a request, or the system
 * @param reference the merchant's own identifier; null when not given
 * @param description the merchant's text; null when not given
 * @param reason why the system refunds, a code; null for all others
 * @param rail what the rail says of money that it moved back without a request; null when it says nothing
 */
public record Refund(
        RefundId id,
        Amount amount,
        State state,
        Source source,
        @Nullable String reference,
        @Nullable String description,
        Instant requestedAt,
        @Nullable String reason,
        @Nullable RailReturn rail) {

    public Refund(
            RefundId id,
            Amount amount,
            State state,
            Source source,
            @Nullable String reference,
            @Nullable String description,
            Instant requestedAt) {
        this(id, amount, state, source, reference, description, requestedAt, null, null);
    }

    /** Whether the rail was asked to make it, so that its money has been in flight. */
    public boolean wasAskedFor() {
        return source.asksRail();
    }

    static Refund of(Entry.RefundRequested requested, State state) {
        return new Refund(
                requested.refund(),
                requested.amount(),
                state,
                requested.source(),
                requested.reference(),
                requested.description(),
                requested.at(),
                requested.reason(),
                requested.rail());
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
