package dev.ligeiro.processor.decide;

import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** When a call to the rail begins, and when it is made again. A submission is stored before its call. */
final class SubmissionDecisions {

    private SubmissionDecisions() {}

    /** Stores the call, then registers the charge: its rejection is then known to be that of the first registration. */
    static Decision registerCharge(Transaction cashin, RailFacts facts, Instant now) {
        return Decision.submit(cashin.with(RailCall.first(null, now, RailSchedule.afterCall(facts, now))), null);
    }

    /** Stores {@code in_process}, then submits. */
    static Decision submitCashout(Transaction transaction, RailFacts facts, Instant now) {
        return Decision.submit(
                transaction
                        .moveTo(Status.IN_PROCESS, now, Source.SYSTEM)
                        .with(RailCall.first(null, now, RailSchedule.afterCall(facts, now))),
                null);
    }

    /** Submits again with the same id; the compare-and-set of the rail call makes this processor the only one that does. */
    static Decision takeOver(Transaction transaction, RailCall call, RailFacts facts, Instant now) {
        RailCall next = call.takenOver(now, RailSchedule.afterCall(facts, now));
        return Decision.submit(transaction.with(next), call.refund());
    }

    /** Looks at a rail call that is due. */
    static Decision dueCheck(Transaction transaction, RailCall call, RailFacts facts, Instant now) {
        boolean asksById = facts.inquiry() == RailFacts.Inquiry.BY_ID
                && (call.begun() || ChargeDecisions.isExpiring(transaction, now));
        // the report may be of a payment, and a submission does not tell
        boolean asksAboutReport =
                call.refund() == null && (call.reportedAt() != null || RailDecisions.hasOutcome(transaction));
        if (asksById || asksAboutReport || RailCallDecisions.isAnalysed(transaction, call)) {
            Instant dueAt = RailSchedule.afterCall(facts, now);
            return Decision.inquire(transaction.with(call.asked(dueAt)), call.refund());
        }
        return call.begun()
                ? Decision.submit(
                        transaction.with(call.repeated(now, RailSchedule.afterCall(facts, now))), call.refund())
                : takeOver(transaction, call, facts, now);
    }

    /** The call that {@code request} began is still under way: a processor looks at it again if no answer comes. */
    static Transaction underWay(Transaction transaction, RailRequest request, RailFacts facts, Instant now) {
        // a rail call of a new cashout would be taken for its submission
        boolean isNewCashout = transaction.operation() == Operation.CASHOUT && !transaction.accepted();
        return isNewCashout || transaction.railCall(request.refund()).isPresent()
                ? transaction
                : transaction.with(RailCall.first(request.refund(), now, RailSchedule.afterCall(facts, now)));
    }
}
