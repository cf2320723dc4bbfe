package dev.ligeiro.transaction;

/** Who caused an entry of a transaction's history. */
public enum Source implements Coded {
    MERCHANT,
    RAIL,
    SANDBOX,
    /** An operator of this installation. */
    OPERATOR,
    /** Ligeiro itself, for example when a transaction expires. */
    SYSTEM
}
