package dev.ligeiro.support.kafka;

import dev.ligeiro.transaction.Coded;

/** The reasons for dead letters that all services have. A service adds its own reasons to refuse a message. */
public enum DeadLetterReason implements Coded {
    INVALID_MESSAGE("invalid_message"),
    FAILED("failed");

    private final String code;

    DeadLetterReason(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }
}
