package dev.ligeiro.support.kafka;

import dev.ligeiro.transaction.Coded;

/** Why a record is a dead letter, where the cause is not a decision of the service. */
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
