package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a transaction does (specification §1): take money in from a payer, or send it out to a Pix key. */
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
    public static Operation ofCode(String code) {
        return CODES.get(code);
    }
}
