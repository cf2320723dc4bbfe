package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCall;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one step of a command.
 *
 * @param after the transaction that the store must hold
 * @param railRequest the call to make once {@code after} is stored; null for none
 * @param stray money to be recorded that the transaction cannot take; null for none
 */
record Decision(Transaction after, @Nullable RailRequest railRequest, @Nullable Stray stray) {

    /** Stores {@code after}, which may be the transaction before. */
    static Decision store(Transaction after) {
        return new Decision(after, null, null);
    }

    /** Stores {@code after}, then submits the transaction or one of its refunds. */
    static Decision submit(Transaction after, @Nullable RefundId refund) {
        return new Decision(after, request(RailCall.SUBMIT, after, refund), null);
    }

    /** Stores {@code after}, then asks for the outcome of the transaction or of one of its refunds. */
    static Decision inquire(Transaction after, @Nullable RefundId refund) {
        return new Decision(after, request(RailCall.INQUIRE, after, refund), null);
    }

    /** Stores {@code after} and records money that it cannot take. */
    static Decision stray(Transaction after, Stray stray) {
        return new Decision(after, null, stray);
    }

    private static RailRequest request(RailCall call, Transaction after, @Nullable RefundId refund) {
        int submission = after.openCall(refund).map(open -> open.submissions()).orElse(1);
        return new RailRequest(call, refund, submission, after.history().sequence());
    }
}
