package dev.ligeiro.transaction;

/** Who caused an entry of a transaction's history. */
public enum Source implements Coded {
    MERCHANT,
    RAIL,
    SANDBOX,
    /** An operator of this installation. */
    OPERATOR,
    /** Ligeiro itself, for example when a transaction expires. */
    SYSTEM;

    private static final Codes<Source> CODES = new Codes<>(Source.class);

    /** @throws IllegalArgumentException when no source has this code */
    public static Source fromCode(String code) {
        return CODES.get(code);
    }
}
