package dev.ligeiro.processor.rail;

/** A rail's response on a transaction. */
public sealed interface RailOutcome {

    /** The code in metrics. */
    String code();

    /** The money has moved. */
    record Settled() implements RailOutcome {

        @Override
        public String code() {
            return "settled";
        }
    }

    /**
     * The money has not moved and never will.
     *
     * @param reason a code, such as {@code rejected_by_rail}
     */
    record Rejected(String reason) implements RailOutcome {

        @Override
        public String code() {
            return "rejected";
        }
    }

    /** The rail has accepted the transaction; the outcome follows later. */
    record Pending() implements RailOutcome {

        @Override
        public String code() {
            return "pending";
        }
    }

    /** The outcome is unknown, for example after a time-out. Only an inquiry can find out whether the money has moved. */
    record Unknown() implements RailOutcome {

        @Override
        public String code() {
            return "unknown";
        }
    }
}
