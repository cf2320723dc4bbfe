package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/**
 * What follows from a rail's own report: a question to the rail. Only a report that cannot be read back is recorded as it is: also that of
 * another rail than the transaction's, which knows nothing of the money there.
 */
public final class NoticeDecisions {

    private NoticeDecisions() {}

    static Decision decide(
            Transaction transaction, TransactionCommand.RailNotice notice, RailFacts facts, Instant now) {
        if (!notice.rail().equals(facts.name())) {
            return unconfirmed(transaction, notice, now);
        }
        if (tellsNothingNew(transaction, notice)) {
            return Decision.store(transaction);
        }
        if (canAsk(transaction, facts)) {
            return Decision.inquire(asked(transaction, RailSchedule.afterCall(facts, now), now), null);
        }
        // a report never submits: a rail that is asked by resubmission is asked when the call is due
        return transaction.status() == Status.IN_PROCESS
                ? Decision.store(transaction)
                : unconfirmed(transaction, notice, now);
    }

    /**
     * A rail that is asked by resubmission must not be asked about a submitted cashout: that would submit it again. No rail is asked about a
     * cashout that waits for approval: as an answer to the inquiry, "not found" would submit it.
     */
    private static boolean canAsk(Transaction transaction, RailFacts facts) {
        if (transaction.approvalSince() != null) {
            return false;
        }
        return transaction.operation() == Operation.CASHIN
                || transaction.status() == Status.IN_ANALYSIS
                || facts.inquiry() == RailFacts.Inquiry.BY_ID;
    }

    /**
     * Stores the question before the inquiry. The rail is then asked until it has answered a question from after the report. Nothing is
     * stored of a new transaction, because with a rail call it would look accepted, nor of a cashout in analysis: it is not submitted yet,
     * and the rail is asked about it anyway.
     */
    private static Transaction asked(Transaction transaction, Instant dueAt, Instant now) {
        boolean isAnalysed = transaction.operation() == Operation.CASHOUT && transaction.status() == Status.IN_ANALYSIS;
        return transaction.accepted() && !isAnalysed ? reported(transaction, dueAt, now) : transaction;
    }

    /** Opens a call for the question of a report, or adds the question to the rail call. */
    static Transaction reported(Transaction transaction, Instant dueAt, Instant now) {
        RailCall call = transaction.railCall(null).orElseGet(() -> RailCall.first(null, now, dueAt));
        return transaction.with(call.reported(now, dueAt));
    }

    /** Keeps the question of a report open if {@code answered} follows from an answer to an earlier question. */
    static Decision keepQuestion(Transaction before, Instant askedAt, Decision answered) {
        return before.railCall(null)
                .filter(call -> call.isReportedAfter(askedAt))
                .filter(call -> answered.after().railCall(null).isEmpty())
                .map(call -> new Decision(
                        answered.after().with(call.withoutResolution()), answered.railRequest(), answered.unmatched()))
                .orElse(answered);
    }

    /** Records a report about which the transaction's rail cannot be asked, unless it is a mere hint, or of the payment that is known. */
    static Decision unconfirmed(Transaction transaction, TransactionCommand.RailNotice notice, Instant now) {
        return notice.amount() == null || isKnownPayment(transaction, notice)
                ? Decision.store(transaction)
                : Decision.unmatched(transaction, unmatched(notice, UnmatchedPayment.Reason.UNCONFIRMED, now));
    }

    /** Whether {@code transaction} has the payment that its rail reports and all that was moved back of it. Banks repeat their reports. */
    public static boolean tellsNothingNew(Transaction transaction, TransactionCommand.RailNotice notice) {
        return notice.returned() != null
                && notice.returned().cents()
                        <= ChangeRules.refunded(transaction).cents()
                && isKnownPayment(transaction, notice);
    }

    /** Whether a payment can still change the status. */
    public static boolean canBecomePaid(Transaction transaction) {
        return transaction.allowedMoves().contains(Status.PAID);
    }

    private static boolean isKnownPayment(Transaction transaction, TransactionCommand.RailNotice notice) {
        boolean isPaid = transaction.status() == Status.PAID || transaction.status() == Status.REFUND;
        boolean isItsAmount = notice.amount() == null
                || notice.amount().equals(transaction.terms().amount());
        return isPaid && isItsAmount && notice.endToEndId().equals(transaction.endToEndId());
    }

    static UnmatchedPayment unmatched(
            TransactionCommand.RailNotice notice, UnmatchedPayment.Reason reason, Instant now) {
        return new UnmatchedPayment(
                notice.rail(), notice.endToEndId(), notice.transactionId(), notice.amount(), reason, now);
    }
}
