package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Coded;

/** What a rail is asked. */
public enum RailCall implements Coded {
    SUBMIT("submit"),
    INQUIRE("inquire");

    private final String code;

    RailCall(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }
}
