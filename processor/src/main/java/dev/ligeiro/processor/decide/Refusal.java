package dev.ligeiro.processor.decide;

/** Why a command can never be processed. */
public enum Refusal {
    INVALID_MESSAGE("invalid_message"),
    TRANSACTION_NOT_FOUND("transaction_not_found"),
    /** A live transaction while only the simulator is there: it must not reach it. */
    NO_RAIL_FOR_MODE("no_rail_for_mode"),
    /** The code fails on it whenever it is tried. */
    FAILED("failed");

    private final String word;

    Refusal(String word) {
        this.word = word;
    }

    /** The word of metrics, logs and the dead letter's header. */
    public String word() {
        return word;
    }
}
