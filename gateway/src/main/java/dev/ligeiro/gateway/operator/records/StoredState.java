package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;

/** What MongoDB has of a transaction: its status, and the number of its announced entries. */
record StoredState(Status status, int sequence) {

    static StoredState of(Transaction stored) {
        return new StoredState(stored.status(), stored.history().sequence());
    }
}
