package dev.ligeiro.store;

import dev.ligeiro.transaction.Coded;

/** How the books and a rail's list differ in one movement. */
public enum BreakKind implements Coded {
    /** The rail has it, the books do not. */
    MISSING_HERE,
    /** The books have it, the rail does not. */
    MISSING_THERE,
    /** Both have it, with different amounts or directions. */
    AMOUNT,
    /** The books or the rail have it twice. */
    TWICE
}
