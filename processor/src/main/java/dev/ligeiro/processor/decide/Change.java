package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;

/**
 * One compare-and-set: the transaction that the store is expected to hold, and the one it shall hold then.
 *
 * @param before as it was read, or carried by its command
 * @param after the same transaction, accepted or some events further
 */
public record Change(Transaction before, Transaction after) {

    public TransactionId id() {
        return before.id();
    }

    /** The entries of the history that {@code before} lacks, oldest first; none for a mere acceptance. */
    public List<StatusEvent> newEvents() {
        return after.events().subList(before.events().size(), after.events().size());
    }

    /** Whether it is followed by a submission that must not be made twice: its writer needs to know that it was the one. */
    public boolean entersProcess() {
        return before.status() != Status.IN_PROCESS && after.status() == Status.IN_PROCESS;
    }
}
