package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one step of a command.
 *
 * @param after the transaction that the store must hold
 * @param railRequest the call to make once {@code after} is stored; null for none
 * @param unmatched money to be recorded that the transaction cannot take
 */
record Decision(Transaction after, @Nullable RailRequest railRequest, List<UnmatchedPayment> unmatched) {

    Decision {
        unmatched = List.copyOf(unmatched);
    }

    /** Stores {@code after}, which may be the transaction before. */
    static Decision store(Transaction after) {
        return new Decision(after, null, List.of());
    }

    /** Stores {@code after}, then submits the transaction or one of its refunds. */
    static Decision submit(Transaction after, @Nullable RefundId refund) {
        return request(RailCallKind.SUBMIT, after, refund);
    }

    /** Stores {@code after}, then asks for the outcome of the transaction or of one of its refunds. */
    static Decision inquire(Transaction after, @Nullable RefundId refund) {
        return request(RailCallKind.INQUIRE, after, refund);
    }

    /** Stores {@code after}, then asks the rail to remove the charge of the cashin. */
    static Decision cancel(Transaction after) {
        return request(RailCallKind.CANCEL, after, null);
    }

    private static Decision request(RailCallKind call, Transaction after, @Nullable RefundId refund) {
        int submission = after.railCall(refund).map(RailCall::submissions).orElse(1);
        RailRequest request =
                new RailRequest(call, refund, submission, after.history().sequence());
        return new Decision(after, request, List.of());
    }

    /** Stores {@code after} and records money that it cannot take. */
    static Decision unmatched(Transaction after, UnmatchedPayment payment) {
        return new Decision(after, null, List.of(payment));
    }

    /** Whether something is stored or asked. */
    boolean changes(Transaction before) {
        return after != before || railRequest != null;
    }

    Decision withAfter(Transaction changed) {
        return new Decision(changed, railRequest, unmatched);
    }

    Decision withoutRequest() {
        return new Decision(after, null, unmatched);
    }

    /** Records more money that the transaction cannot take. */
    Decision withUnmatched(List<UnmatchedPayment> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<UnmatchedPayment> all = new ArrayList<>(unmatched);
        all.addAll(more);
        return new Decision(after, railRequest, all);
    }
}
