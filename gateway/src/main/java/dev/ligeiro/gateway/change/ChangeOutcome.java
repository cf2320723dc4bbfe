package dev.ligeiro.gateway.change;

import dev.ligeiro.transaction.Transaction;

/**
 * The outcome of a request for a change.
 *
 * @param transaction the transaction as the request left it; the state before the request when it is queued
 */
record ChangeOutcome(Transaction transaction, Kind kind) {

    enum Kind {
        /** The history has the request's entry. */
        DONE,
        /** The history has the entry of an earlier, equal request. */
        REPLAYED,
        /** Kafka has the command, and the change follows. */
        QUEUED
    }
}
