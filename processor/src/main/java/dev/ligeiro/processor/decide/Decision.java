package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Transaction;

/**
 * What one command makes of one transaction.
 *
 * @param after the transaction as the store shall hold it
 */
record Decision(Kind kind, Transaction after) {

    /** What there is to do. */
    enum Kind {
        /** {@code after} differs from the transaction before. */
        CHANGE,
        /** The command's change is there already, or its transaction does not allow it. */
        NOTHING,
        /** Submit {@code after} to its rail, once the store holds it. */
        SUBMIT,
        /** Ask the rail what has become of it. */
        INQUIRE
    }
}
