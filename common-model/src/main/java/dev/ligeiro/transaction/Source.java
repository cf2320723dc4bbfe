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

    /** Whether the rail is asked to make a refund of this source, so that its money is in flight until the rail answers. */
    boolean asksRail() {
        return this == MERCHANT || this == SYSTEM;
    }
}
