package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Transaction;

/**
 * The decision on one command.
 *
 * @param after the transaction that the store must hold
 */
record Decision(Kind kind, Transaction after) {

    /** The next step. */
    enum Kind {
        /** Store {@code after}, which differs from the transaction before. */
        CHANGE,
        /** Do nothing: the change was made before, or the transaction's status does not allow it. */
        NOTHING,
        /** Store {@code after}, then submit it to its rail. */
        SUBMIT,
        /** Ask the rail for the outcome of an earlier submission. */
        INQUIRE
    }
}
