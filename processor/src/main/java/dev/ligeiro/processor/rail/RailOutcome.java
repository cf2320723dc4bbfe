package dev.ligeiro.processor.rail;

/** What a rail says of a transaction. */
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
     * @param reason in a code for machines
     */
    record Rejected(String reason) implements RailOutcome {

        @Override
        public String code() {
            return "rejected";
        }
    }

    /** The rail has it and will tell later. */
    record Pending() implements RailOutcome {

        @Override
        public String code() {
            return "pending";
        }
    }

    /** Nobody knows: neither success nor failure may be concluded, only an inquiry can tell. */
    record Unknown() implements RailOutcome {

        @Override
        public String code() {
            return "unknown";
        }
    }
}
