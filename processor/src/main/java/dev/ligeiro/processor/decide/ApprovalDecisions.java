package dev.ligeiro.processor.decide;

import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cashouts that wait for the approval of a person. No rail has them: they have no rail call, so nothing is due and they never expire. The
 * first decision that is applied counts.
 */
final class ApprovalDecisions {

    private ApprovalDecisions() {}

    /** The wait of a new cashout. */
    static Decision begin(Transaction cashout, Instant now) {
        return Decision.store(cashout.with(new Entry.StatusChanged(
                Status.IN_ANALYSIS, now, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null)));
    }

    /**
     * An approved cashout goes to its rail as a new one does, a rejected one is denied. About one that the rail may know already, after a
     * restored backup, the rail is asked first.
     *
     * @param facts null while this processor does not have the rail. The cashout then goes on waiting
     */
    static Decision decide(
            Transaction cashout,
            ChangeRef change,
            ChangeAction.Approval approval,
            @Nullable RailFacts facts,
            Instant now) {
        if (ChangeDecisions.hasEntry(cashout, change)) {
            return Decision.store(cashout);
        }
        Optional<ChangeRefusal> refusal = ChangeRules.refusal(cashout, approval, now);
        if (refusal.isPresent()) {
            return Decision.store(ChangeDecisions.refused(cashout, change, refusal.get(), now));
        }
        if (facts == null) {
            return Decision.store(ChangeDecisions.refused(cashout, change, ChangeRefusal.UNAVAILABLE, now));
        }
        if (approval.approved()) {
            return SubmissionDecisions.submitCashout(
                    cashout, entry(Status.IN_PROCESS, approval, null, change, now), facts, now);
        }
        return denied(cashout, change, approval, ChangeAction.Approval.NOT_APPROVED, facts, now);
    }

    /** What follows if the guard does not let an approved cashout pass. One that may pass later goes on waiting. */
    static Decision notPassed(
            Transaction cashout,
            ChangeRef change,
            ChangeAction.Approval approval,
            GuardVerdict verdict,
            RailFacts facts,
            Instant now) {
        return switch (verdict) {
            case MERCHANT_FROZEN ->
                Decision.store(ChangeDecisions.refused(cashout, change, ChangeRefusal.MERCHANT_FROZEN, now));
            case WAITS -> Decision.store(ChangeDecisions.refused(cashout, change, ChangeRefusal.UNAVAILABLE, now));
            default -> denied(cashout, change, approval, verdict.code(), facts, now);
        };
    }

    private static Decision denied(
            Transaction cashout,
            ChangeRef change,
            ChangeAction.Approval approval,
            String reason,
            RailFacts facts,
            Instant now) {
        return facts.mayKnow(cashout)
                ? SubmissionDecisions.denyUnlessFound(
                        cashout, entry(Status.IN_PROCESS, approval, reason, change, now), reason, facts, now)
                : Decision.store(cashout.with(entry(Status.DENIED, approval, reason, change, now)));
    }

    private static Entry entry(
            Status to, ChangeAction.Approval approval, @Nullable String reason, ChangeRef change, Instant now) {
        return new Entry.StatusChanged(to, now, approval.source(), reason, null, change, approval.reason());
    }
}
