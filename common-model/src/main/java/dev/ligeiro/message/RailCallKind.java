package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.Coded;

/** A call of a payment rail. */
public enum RailCallKind implements Coded {
    SUBMIT("submit"),
    INQUIRE("inquire");

    private final String code;

    RailCallKind(String code) {
        this.code = code;
    }

    @Override
    @JsonValue
    public String code() {
        return code;
    }
}
