package dev.ligeiro.processor.decide;

import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When a call to the rail begins, and when it is made again. A submission is stored before its call. */
final class SubmissionDecisions {

    private SubmissionDecisions() {}

    /** Stores the call, then registers the charge. A rejection of a stored first call is of the first registration. */
    static Decision registerCharge(Context context) {
        return Decision.submit(context.transaction().with(firstCall(context)), null);
    }

    /** Stores {@code in_process}, then submits. About a cashout that the rail may know already, it is asked first. */
    static Decision submitCashout(Context context) {
        return submitCashout(context, inProcess(context.now()));
    }

    /** @param inProcess the entry of the status */
    static Decision submitCashout(Context context, Entry inProcess) {
        Transaction begun = context.transaction().with(inProcess).with(firstCall(context));
        return context.mayBeKnown() ? again(context, begun, null) : Decision.submit(begun, null);
    }

    /** Submits a refund that was requested now. One that the rail may know already counts as a repetition, and the rail is asked first. */
    static Decision submitRefund(Context context, RefundId refund) {
        RailCall first = RailCall.first(refund, context.now(), context.afterCall());
        return context.facts().mayKnow(refund)
                ? again(
                        context,
                        context.transaction().with(first.takenOver(context.now(), context.afterCall())),
                        refund)
                : Decision.submit(context.transaction().with(first), refund);
    }

    /** What the rail may know already: it is asked, by a submission if that is how it is asked. */
    private static Decision again(Context context, Transaction begun, @Nullable RefundId refund) {
        return context.isAskedById() ? Decision.inquire(begun, refund) : Decision.submit(begun, refund);
    }

    /** As the other one, without a request that has caused it. */
    static Decision denyUnlessFound(Context context, String reason) {
        return denyUnlessFound(context, inProcess(context.now()), reason);
    }

    /**
     * Asks the rail about a cashout that it may have paid before. If it does not know the cashout, it is denied.
     *
     * @param inProcess the entry of the status
     * @param reason of the denial
     */
    static Decision denyUnlessFound(Context context, Entry inProcess, String reason) {
        RailCall call = firstCall(context).rejected(reason, context.afterCall());
        return Decision.inquire(context.transaction().with(inProcess).with(call), null);
    }

    private static Entry inProcess(Instant now) {
        return Entry.StatusChanged.to(Status.IN_PROCESS, now, Source.SYSTEM);
    }

    /** If the rail may know the transaction already, this counts as a repetition, whose rejection is read back. */
    private static RailCall firstCall(Context context) {
        Instant dueAt = context.afterCall();
        RailCall first = RailCall.first(null, context.now(), dueAt);
        return context.mayBeKnown() ? first.takenOver(context.now(), dueAt) : first;
    }

    /** Submits again with the same id; the compare-and-set of the rail call makes this processor the only one that does. */
    static Decision takeOver(Context context, RailCall call) {
        return Decision.submit(
                context.transaction().with(call.takenOver(context.now(), context.afterCall())), call.refund());
    }

    /** Does the work that was due until then: a rail call or the expiry. Nothing is due if an earlier command has done it. */
    static Decision dueCheck(Context context, Instant until) {
        Transaction transaction = context.transaction();
        Instant dueAt = transaction.dueAt();
        if (dueAt == null || dueAt.isAfter(until)) {
            return Decision.store(transaction);
        }
        Optional<RailCall> due = transaction.railCalls().stream()
                .filter(call -> call.dueAt().equals(dueAt))
                .findFirst();
        return due.isPresent() ? inquireOrRepeat(context, due.get()) : CommandRules.expire(context);
    }

    private static Decision inquireOrRepeat(Context context, RailCall call) {
        Transaction transaction = context.transaction();
        Transaction asked = transaction.with(call.asked(context.afterCall()));
        if (call.refund() == null && Context.openCancel(transaction).isPresent()) {
            return Decision.cancel(asked);
        }
        boolean readsBack = context.isAskedById() || call.rejection() != null;
        boolean asksById = readsBack && (call.begun() || context.isExpiring(context.now()));
        // the report may be of a payment, and a submission does not tell
        boolean asksAboutReport = call.refund() == null && (call.reportedAt() != null || context.hasOutcome());
        // before operators' decision is applied the rail is asked, until it has answered
        if (call.resolution() != null || asksById || asksAboutReport || context.isAnalysed(call)) {
            return Decision.inquire(asked, call.refund());
        }
        return call.begun()
                ? Decision.submit(transaction.with(call.repeated(context.now(), context.afterCall())), call.refund())
                : takeOver(context, call);
    }

    /** The call that {@code request} began is still under way: a processor looks at it again if no answer comes. */
    static Transaction underWay(Context context, RailRequest request) {
        Transaction transaction = context.transaction();
        // a rail call of a new cashout would be taken for its submission
        boolean isNewCashout = transaction.operation() == Operation.CASHOUT && !transaction.accepted();
        return isNewCashout || transaction.railCall(request.refund()).isPresent()
                ? transaction
                : transaction.with(RailCall.first(request.refund(), context.now(), context.afterCall()));
    }
}
