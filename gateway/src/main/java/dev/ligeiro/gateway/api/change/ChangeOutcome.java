package dev.ligeiro.gateway.api.change;

import dev.ligeiro.transaction.RefundSummary;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.List;

/**
 * The outcome of a request for a change.
 *
 * @param transaction the transaction as the request left it; the state before the change when it is queued
 */
record ChangeOutcome(TransactionSnapshot transaction, Kind kind) {

    enum Kind {
        /** The history has the request's entry. */
        DONE,
        /** The history has the entry of an earlier, equal request. */
        REPLAYED,
        /** Kafka has the command, and the change follows. */
        QUEUED
    }

    static ChangeOutcome queued(TransactionSnapshot before) {
        return new ChangeOutcome(before, Kind.QUEUED);
    }

    /** Shows the totals of the refunds, but none of them: their texts can have 30 kB. */
    static ChangeOutcome queuedWithoutRefunds(Transaction before) {
        TransactionSnapshot shown = before.snapshot();
        RefundSummary refunds = shown.refunds();
        return queued(shown.withRefunds(new RefundSummary(refunds.refunded(), refunds.count(), List.of())));
    }
}
