package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** The direction of a transaction: a cashin receives money from a payer, a cashout sends money to a Pix key. */
public enum Operation implements Coded {
    CASHIN("cashin"),
    CASHOUT("cashout");

    private static final Codes<Operation> CODES = new Codes<>(Operation.class);

    private final String code;

    Operation(String code) {
        this.code = code;
    }

    @Override
    @JsonValue
    public String code() {
        return code;
    }

    /** @throws IllegalArgumentException when no operation has this code */
    public static Operation fromCode(String code) {
        return CODES.get(code);
    }
}
