package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Coded;

/** A call of {@link PaymentRail}. */
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
