package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What becomes of a decision that takes a cashout to its rail, if the guard does not let it pass. */
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
            Transaction before,
            Decision decision,
            @Nullable TransactionCommand command,
            Function<Transaction, GuardVerdict> guard,
            RailFacts facts,
            Instant now) {
        if (!SubmissionDecisions.begins(before, decision.after())) {
            return decision;
        }
        GuardVerdict verdict = guard.apply(before);
        if (verdict == GuardVerdict.PASSED) {
            return decision;
        }
        if (command instanceof TransactionCommand.Change change
                && change.action() instanceof ChangeAction.Approval approval) {
            return ApprovalDecisions.notPassed(before, change.change(), approval, verdict, facts, now);
        }
        boolean mayBeKnown = facts.mayKnow(before);
        if (mayBeKnown && !now.isBefore(before.terms().expiresAt())) {
            return decision;
        }
        return switch (verdict) {
            case WAITS -> Decision.store(before);
            case APPROVAL_REQUIRED -> ApprovalDecisions.begin(before, now);
            default ->
                mayBeKnown
                        ? SubmissionDecisions.denyUnlessFound(before, verdict.code(), facts, now)
                        : Decision.store(RejectionDecisions.denied(before, verdict, now));
        };
    }
}
