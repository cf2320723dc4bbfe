package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What follows when a rail rejects a call. A repeated write may be rejected because the first one worked, so it is read back before the
 * rejection counts.
 */
final class RejectionDecisions {

    private RejectionDecisions() {}

    /** The rejection of a call that is stored. */
    static Decision decide(
            Transaction transaction, RailCall call, RailCallKind asked, String reason, RailFacts facts, Instant now) {
        boolean mayBeRepeated = call.submissions() > 1 || isUncountedRegistration(transaction, call, facts);
        return mayBeRepeated && asked == RailCallKind.SUBMIT
                ? Decision.inquire(
                        transaction.with(call.rejected(reason, RailSchedule.afterCall(facts, now))), call.refund())
                : Decision.store(counted(transaction, call.refund(), reason, now));
    }

    /** The rejection of a charge about which nothing is stored: an earlier attempt at the batch may have registered it. */
    static Decision decideUnstored(Transaction cashin, RailCallKind asked, String reason, Instant now) {
        return asked == RailCallKind.SUBMIT
                ? Decision.inquire(cashin, null)
                : Decision.store(counted(cashin, null, reason, now));
    }

    /** The money has not moved and never will. */
    static Transaction counted(Transaction transaction, @Nullable RefundId refund, String reason, Instant now) {
        Entry entry = refund == null
                ? new Entry.StatusChanged(Status.DENIED, now, Source.RAIL, reason, null, null)
                : new Entry.RefundFailed(refund, reason, now);
        return transaction.with(entry).closeCall(refund);
    }

    /** No rail has been asked to pay the cashout. */
    static Transaction denied(Transaction cashout, GuardVerdict reason, Instant now) {
        return cashout.with(new Entry.StatusChanged(Status.DENIED, now, Source.SYSTEM, reason.code(), null, null))
                .closeCall(null);
    }

    /** A rail that registers charges at once is called before the call is stored, again in each attempt at the batch. */
    private static boolean isUncountedRegistration(Transaction transaction, RailCall call, RailFacts facts) {
        return facts.registersAtOnce() && call.refund() == null && transaction.operation() == Operation.CASHIN;
    }
}
