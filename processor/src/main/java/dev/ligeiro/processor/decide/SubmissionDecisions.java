package dev.ligeiro.processor.decide;

import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a call to the rail begins, and when it is made again. A submission is stored before its call. */
final class SubmissionDecisions {

    private SubmissionDecisions() {}

    /** Stores the call, then registers the charge. A rejection of a stored first call is of the first registration. */
    static Decision registerCharge(Transaction cashin, RailFacts facts, Instant now) {
        return Decision.submit(cashin.with(firstCall(cashin, facts, now)), null);
    }

    /** Stores {@code in_process}, then submits. About a cashout that the rail may know already, it is asked first. */
    static Decision submitCashout(Transaction transaction, RailFacts facts, Instant now) {
        return submitCashout(transaction, inProcess(now), facts, now);
    }

    /** @param inProcess the entry of the status */
    static Decision submitCashout(Transaction transaction, Entry inProcess, RailFacts facts, Instant now) {
        Transaction begun = transaction.with(inProcess).with(firstCall(transaction, facts, now));
        return facts.mayKnow(transaction) ? again(begun, null, facts) : Decision.submit(begun, null);
    }

    /** Whether a cashout that no rail has had goes to its rail now, for an analysis or to be paid. */
    static boolean begins(Transaction before, Transaction after) {
        return before.operation() == Operation.CASHOUT
                && after.railCall(null).isPresent()
                && (before.status() == Status.PENDING
                                && (after.status() == Status.IN_PROCESS || after.status() == Status.IN_ANALYSIS)
                        || before.status() == Status.IN_ANALYSIS && after.status() == Status.IN_PROCESS);
    }

    /** The decision on a change. A refund that the rail may know already counts as a repetition, and the rail is asked about it first. */
    static Decision refund(Decision change, RailFacts facts, Instant now) {
        RailRequest request = change.railRequest();
        if (request == null || request.refund() == null || !facts.mayKnow(request.refund())) {
            return change;
        }
        RailCall call = change.after().railCall(request.refund()).orElseThrow();
        RailCall second = call.takenOver(now, RailSchedule.afterCall(facts, now));
        return again(change.after().with(second), request.refund(), facts);
    }

    /** What the rail may know already: it is asked, by a submission if that is how it is asked. */
    private static Decision again(Transaction begun, @Nullable RefundId refund, RailFacts facts) {
        return facts.inquiry() == RailFacts.Inquiry.BY_ID
                ? Decision.inquire(begun, refund)
                : Decision.submit(begun, refund);
    }

    /** A new cashout whose time is over: expires, unless the rail may have paid it before. */
    static Decision expireNewCashout(Transaction cashout, RailFacts facts, Instant now) {
        return facts.mayKnow(cashout)
                ? denyUnlessFound(cashout, Status.EXPIRED.code(), facts, now)
                : Decision.store(CommandRules.expired(cashout, now));
    }

    /** As the other one, without a request that has caused it. */
    static Decision denyUnlessFound(Transaction cashout, String reason, RailFacts facts, Instant now) {
        return denyUnlessFound(cashout, inProcess(now), reason, facts, now);
    }

    /**
     * Asks the rail about a cashout that it may have paid before. If it does not know the cashout, it is denied.
     *
     * @param inProcess the entry of the status
     * @param reason of the denial
     */
    static Decision denyUnlessFound(Transaction cashout, Entry inProcess, String reason, RailFacts facts, Instant now) {
        RailCall call = firstCall(cashout, facts, now).rejected(reason, RailSchedule.afterCall(facts, now));
        return Decision.inquire(cashout.with(inProcess).with(call), null);
    }

    private static Entry inProcess(Instant now) {
        return Entry.StatusChanged.to(Status.IN_PROCESS, now, Source.SYSTEM);
    }

    /** If the rail may know the transaction already, this counts as a repetition, whose rejection is read back. */
    private static RailCall firstCall(Transaction transaction, RailFacts facts, Instant now) {
        Instant dueAt = RailSchedule.afterCall(facts, now);
        RailCall first = RailCall.first(null, now, dueAt);
        return facts.mayKnow(transaction) ? first.takenOver(now, dueAt) : first;
    }

    /** Submits again with the same id; the compare-and-set of the rail call makes this processor the only one that does. */
    static Decision takeOver(Transaction transaction, RailCall call, RailFacts facts, Instant now) {
        RailCall next = call.takenOver(now, RailSchedule.afterCall(facts, now));
        return Decision.submit(transaction.with(next), call.refund());
    }

    /** Looks at a rail call that is due. */
    static Decision dueCheck(Transaction transaction, RailCall call, RailFacts facts, Instant now) {
        if (call.refund() == null && CancelDecisions.request(transaction).isPresent()) {
            return Decision.cancel(transaction.with(call.asked(RailSchedule.afterCall(facts, now))));
        }
        if (ResolutionDecisions.isOpen(call)) {
            return ResolutionDecisions.dueCheck(transaction, call, facts, now);
        }
        boolean readsBack = facts.inquiry() == RailFacts.Inquiry.BY_ID || call.rejection() != null;
        boolean asksById = readsBack && (call.begun() || ChargeDecisions.isExpiring(transaction, now));
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
