package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;

/** What became of a command. */
public enum CommandOutcome implements Coded {
    /** It changed its transaction, or took it to the rail. */
    APPLIED("applied"),
    /** Its change was there already, or its transaction does not allow it. */
    UNCHANGED("unchanged"),
    /** It can never be processed. */
    REFUSED("refused");

    private final String code;

    CommandOutcome(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }
}
