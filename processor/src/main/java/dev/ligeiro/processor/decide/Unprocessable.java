package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;

/** The reason why a command can never be processed and becomes a dead letter. */
public enum Unprocessable implements Coded {
    TRANSACTION_NOT_FOUND("transaction_not_found"),
    /** No route leads to a rail for this live transaction; it must not be sent to the simulator. */
    NO_RAIL("no_rail");

    private final String code;

    Unprocessable(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }
}
