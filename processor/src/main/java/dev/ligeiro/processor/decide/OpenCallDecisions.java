package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCall;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.OpenCall;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** What follows from an outcome other than settled, of the latest submission of an open call. */
final class OpenCallDecisions {

    private OpenCallDecisions() {}

    /**
     * @param asked the call that was answered
     * @param askedAt just before it
     */
    static Decision decide(
            Transaction transaction,
            OpenCall call,
            RailCall asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        if (outcome instanceof RailOutcome.Rejected rejected) {
            return RejectionDecisions.decide(transaction, call, asked, rejected.reason(), facts, now);
        }
        Instant nextLook = RailSchedule.afterAnswer(facts, call, now);
        if (isAnalysed(transaction, call)) {
            return outcome instanceof RailOutcome.NotStarted || outcome instanceof RailOutcome.NotFound
                    ? SubmissionDecisions.submitCashout(transaction.closeCall(null), facts, now)
                    : Decision.store(transaction.with(call.waitingUntil(nextLook)));
        }
        // an inquiry that the rail does not start says nothing about the submission
        if (outcome instanceof RailOutcome.NotStarted && asked == RailCall.SUBMIT) {
            return Decision.store(transaction.with(call.notStarted(nextLook)));
        }
        boolean neverPaid = ChargeDecisions.isExpiring(transaction, askedAt) && asked == RailCall.INQUIRE;
        if (outcome instanceof RailOutcome.NotFound && !neverPaid) {
            return notFound(transaction, call, askedAt, facts, now);
        }
        if (ChargeDecisions.isWaiting(transaction)) {
            return ChargeDecisions.decide(transaction, asked, askedAt, outcome, facts, now);
        }
        boolean isAcknowledged = outcome instanceof RailOutcome.Pending || outcome instanceof RailOutcome.InReview;
        return Decision.store(
                transaction.with(isAcknowledged ? call.acknowledged(nextLook) : call.waitingUntil(nextLook)));
    }

    /** Whether the rail analyses the cashout, which has not been submitted then. */
    static boolean isAnalysed(Transaction transaction, OpenCall call) {
        return call.refund() == null
                && transaction.operation() == Operation.CASHOUT
                && transaction.status() == Status.IN_ANALYSIS;
    }

    /**
     * The answer may be older than the submission's arrival, although it is read later. After an acknowledgement "not found" never counts:
     * the rail may only have ended the look-up, or its copy of the data lags, and it could pay again.
     */
    private static Decision notFound(
            Transaction transaction, OpenCall call, Instant askedAt, RailFacts facts, Instant now) {
        Instant nextLook = RailSchedule.afterAnswer(facts, call, now);
        if (call.acknowledged()) {
            return Decision.store(transaction.with(call.waitingUntil(nextLook)));
        }
        Instant countsFrom = RailSchedule.notFoundCountsFrom(facts, call);
        if (askedAt.isBefore(countsFrom)) {
            Instant countsNext = countsFrom.isBefore(now) ? now : countsFrom;
            Instant sooner = nextLook.isBefore(countsNext) ? nextLook : countsNext;
            return Decision.store(transaction.with(call.waitingUntil(sooner)));
        }
        return call.rejection() == null
                ? SubmissionDecisions.takeOver(transaction, call, facts, now)
                : Decision.store(RejectionDecisions.counted(transaction, call.refund(), call.rejection(), now));
    }
}
