package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** What follows from an outcome other than settled, of the latest submission of a rail call. */
final class RailCallDecisions {

    private RailCallDecisions() {}

    /**
     * @param asked the call that was answered
     * @param askedAt just before it
     */
    static Decision decide(
            Transaction transaction,
            RailCall call,
            RailCallKind asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        if (CancelDecisions.request(transaction).isPresent() && call.refund() == null) {
            return CancelDecisions.decide(transaction, call, asked, askedAt, outcome, facts, now);
        }
        if (outcome instanceof RailOutcome.Rejected rejected) {
            return RejectionDecisions.decide(transaction, call, asked, rejected.reason(), facts, now);
        }
        boolean isRejected = outcome instanceof RailOutcome.NotFound && call.rejection() != null;
        if (ResolutionDecisions.isOpen(call) && !isRejected) {
            return ResolutionDecisions.decide(transaction, call, asked, askedAt, outcome, facts, now);
        }
        Instant nextCheck = RailSchedule.afterAnswer(facts, call, now);
        if (isAnalysed(transaction, call)) {
            return outcome instanceof RailOutcome.NotStarted || outcome instanceof RailOutcome.NotFound
                    ? SubmissionDecisions.submitCashout(transaction.closeCall(null), facts, now)
                    : Decision.store(transaction.with(call.waitingUntil(nextCheck)));
        }
        // an inquiry that the rail does not start says nothing about the submission
        if (outcome instanceof RailOutcome.NotStarted && asked == RailCallKind.SUBMIT) {
            return Decision.store(transaction.with(call.notStarted(nextCheck)));
        }
        boolean neverPaid = ChargeDecisions.isExpired(transaction, askedAt, facts) && asked == RailCallKind.INQUIRE;
        if (outcome instanceof RailOutcome.NotFound && !neverPaid) {
            return notFound(transaction, call, askedAt, facts, now);
        }
        if (ChargeDecisions.isWaiting(transaction)) {
            return ChargeDecisions.decide(transaction, asked, askedAt, outcome, facts, now);
        }
        boolean isAcknowledged = outcome instanceof RailOutcome.Pending || outcome instanceof RailOutcome.InReview;
        return Decision.store(
                transaction.with(isAcknowledged ? call.acknowledged(nextCheck) : call.waitingUntil(nextCheck)));
    }

    /** Whether the rail analyses the cashout, which has not been submitted then. */
    static boolean isAnalysed(Transaction transaction, RailCall call) {
        return call.refund() == null
                && transaction.operation() == Operation.CASHOUT
                && transaction.status() == Status.IN_ANALYSIS;
    }

    /**
     * The rail may have answered before the submission arrived. After an acknowledgement "not found" never counts:
     * the rail may only have ended the look-up, or its copy of the data lags, and it could pay again.
     */
    private static Decision notFound(
            Transaction transaction, RailCall call, Instant askedAt, RailFacts facts, Instant now) {
        Instant nextCheck = RailSchedule.afterAnswer(facts, call, now);
        if (call.acknowledged()) {
            return Decision.store(transaction.with(call.waitingUntil(nextCheck)));
        }
        Instant countsFrom = RailSchedule.notFoundCountsFrom(facts, call);
        if (askedAt.isBefore(countsFrom)) {
            Instant countsNext = countsFrom.isBefore(now) ? now : countsFrom;
            Instant sooner = nextCheck.isBefore(countsNext) ? nextCheck : countsNext;
            return Decision.store(transaction.with(call.waitingUntil(sooner)));
        }
        return call.rejection() == null
                ? SubmissionDecisions.takeOver(transaction, call, facts, now)
                : Decision.store(RejectionDecisions.counted(transaction, call.refund(), call.rejection(), now));
    }
}
