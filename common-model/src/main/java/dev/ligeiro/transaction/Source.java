package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** Who caused an entry of a transaction's history. */
public enum Source implements Coded {
    MERCHANT("merchant"),
    RAIL("rail"),
    SANDBOX("sandbox"),
    /** Ligeiro itself, for example when a transaction expires. */
    SYSTEM("system");

    private static final Codes<Source> CODES = new Codes<>(Source.class);

    private final String code;

    Source(String code) {
        this.code = code;
    }

    @Override
    @JsonValue
    public String code() {
        return code;
    }

    /** @throws IllegalArgumentException when no source has this code */
    public static Source fromCode(String code) {
        return CODES.get(code);
    }
}
