package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a cashout that the guard does not let pass to its rail: it is denied, or waits for the approval of a person. No rail has a
 * cashout that waits: it has no rail call, so nothing is due and it never expires. The first decision that is applied counts.
 */
final class GuardDecisions {

    private GuardDecisions() {}

    /**
     * About a cashout that the rail may know already, after a restored backup, the rail is asked before it is denied: it may have been paid. If
     * its time is over, that is decided already.
     *
     * @param decision without the guard
     * @param command null for the answer of the rail
     */
    static Decision decide(
            Context context,
            Decision decision,
            @Nullable TransactionCommand command,
            Function<Transaction, GuardVerdict> guard) {
        Transaction cashout = context.transaction();
        if (!begins(cashout, decision.after())) {
            return decision;
        }
        GuardVerdict verdict = guard.apply(cashout);
        if (verdict == GuardVerdict.PASSED) {
            return decision;
        }
        if (command instanceof TransactionCommand.Change change
                && change.action() instanceof ChangeAction.Approval approval) {
            return notPassed(context, change.change(), approval, verdict);
        }
        if (context.mayBeKnown() && !context.now().isBefore(cashout.terms().expiresAt())) {
            return decision;
        }
        return switch (verdict) {
            case WAITS -> Decision.store(cashout);
            case APPROVAL_REQUIRED -> Decision.store(waiting(cashout, context.now()));
            default ->
                context.mayBeKnown()
                        ? SubmissionDecisions.denyUnlessFound(context, verdict.code())
                        : Decision.store(cashout.with(new Entry.StatusChanged(
                                        Status.DENIED, context.now(), Source.SYSTEM, verdict.code(), null, null))
                                .closeCall(null));
        };
    }

    /** Whether a cashout that no rail has had goes to its rail now, for an analysis or to be paid. */
    private static boolean begins(Transaction before, Transaction after) {
        return before.operation() == Operation.CASHOUT
                && after.railCall(null).isPresent()
                && (before.status() == Status.PENDING
                                && (after.status() == Status.IN_PROCESS || after.status() == Status.IN_ANALYSIS)
                        || before.status() == Status.IN_ANALYSIS && after.status() == Status.IN_PROCESS);
    }

    /** The wait of a new cashout for approval. */
    static Transaction waiting(Transaction cashout, Instant now) {
        return cashout.with(new Entry.StatusChanged(
                Status.IN_ANALYSIS, now, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null));
    }

    /**
     * An approved cashout goes to its rail as a new one does, a rejected one is denied. About one that the rail may know already, after a
     * restored backup, the rail is asked first.
     */
    static Decision approve(Context context, ChangeRef change, ChangeAction.Approval approval) {
        Transaction cashout = context.transaction();
        if (ChangeDecisions.hasEntry(cashout, change)) {
            return Decision.store(cashout);
        }
        Optional<ChangeRefusal> refusal = ChangeRules.refusal(cashout, approval, context.now());
        if (refusal.isPresent()) {
            return refused(context, change, refusal.get());
        }
        return approval.approved()
                ? SubmissionDecisions.submitCashout(
                        context, entry(Status.IN_PROCESS, approval, null, change, context.now()))
                : denied(context, change, approval, ChangeAction.Approval.NOT_APPROVED);
    }

    /** The guard does not let an approved cashout pass. One that may pass later goes on waiting. */
    private static Decision notPassed(
            Context context, ChangeRef change, ChangeAction.Approval approval, GuardVerdict verdict) {
        return switch (verdict) {
            case MERCHANT_FROZEN -> refused(context, change, ChangeRefusal.MERCHANT_FROZEN);
            case WAITS -> refused(context, change, ChangeRefusal.UNAVAILABLE);
            default -> denied(context, change, approval, verdict.code());
        };
    }

    private static Decision refused(Context context, ChangeRef change, ChangeRefusal refusal) {
        return Decision.store(ChangeDecisions.refused(context.transaction(), change, refusal, context.now()));
    }

    private static Decision denied(Context context, ChangeRef change, ChangeAction.Approval approval, String reason) {
        Instant now = context.now();
        return context.mayBeKnown()
                ? SubmissionDecisions.denyUnlessFound(
                        context, entry(Status.IN_PROCESS, approval, reason, change, now), reason)
                : Decision.store(context.transaction().with(entry(Status.DENIED, approval, reason, change, now)));
    }

    private static Entry entry(
            Status to, ChangeAction.Approval approval, @Nullable String reason, ChangeRef change, Instant now) {
        return new Entry.StatusChanged(to, now, approval.source(), reason, null, change, approval.reason());
    }
}
