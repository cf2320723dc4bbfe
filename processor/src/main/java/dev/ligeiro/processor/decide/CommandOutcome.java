package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;

/** The outcome of a command, for metrics. */
public enum CommandOutcome implements Coded {
    /** It changed its transaction, called the rail or left an entry that refuses a request. */
    APPLIED("applied"),
    /** Its change was made before, or there is nothing to change. */
    UNCHANGED("unchanged"),
    /** It can never be processed; see {@link Unprocessable}. */
    UNPROCESSABLE("unprocessable");

    private final String code;

    CommandOutcome(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }
}
