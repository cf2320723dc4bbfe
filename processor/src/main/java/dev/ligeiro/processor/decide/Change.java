package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;

/**
 * A compare-and-set of one transaction.
 *
 * @param before the expected stored transaction, as read or as carried by its command
 * @param after the new one: accepted, with zero or more additional events
 */
public record Change(Transaction before, Transaction after) {

    public TransactionId id() {
        return before.id();
    }

    /** The events that {@code after} adds to {@code before}, oldest first; none if the change is only an acceptance. */
    public List<StatusEvent> newEvents() {
        return after.events().subList(before.events().size(), after.events().size());
    }

    /** Whether a submission follows, which must not be made twice. Only the process that wrote this change may submit. */
    public boolean entersProcess() {
        return before.status() != Status.IN_PROCESS && after.status() == Status.IN_PROCESS;
    }
}
