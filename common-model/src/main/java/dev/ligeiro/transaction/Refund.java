package dev.ligeiro.transaction;

import java.time.Instant;
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

    /** The state of a refund. The first is the only one that changes. */
    public enum State implements Coded {
        PROCESSING("processing"),
        REFUNDED("refunded"),
        FAILED("failed");

        private final String code;

        State(String code) {
            this.code = code;
        }

        @Override
        public String code() {
            return code;
        }
    }
}
