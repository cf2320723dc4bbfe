package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;

/** Why a command can never be processed. */
public enum Refusal implements Coded {
    INVALID_MESSAGE("invalid_message"),
    TRANSACTION_NOT_FOUND("transaction_not_found"),
    /** A live transaction while only the simulator is there: it must not reach it. */
    NO_RAIL_FOR_MODE("no_rail_for_mode"),
    /** The code fails on it whenever it is tried. */
    FAILED("failed");

    private final String code;

    Refusal(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }
}
