package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/**
 * What follows from a rail's own report: a question to the rail. Only a report that cannot be read back is recorded as it is: also that of
 * another rail than the transaction's, which knows nothing of the money there.
 */
public final class NoticeDecisions {

    private NoticeDecisions() {}

    static Decision decide(Context before, TransactionCommand.RailNotice notice) {
        if (!notice.rail().equals(before.facts().name())) {
            return unconfirmed(before, notice);
        }
        Context context = isKnownPayment(before.transaction(), notice)
                ? before.with(PayerDecisions.named(before, notice.payer()))
                : before;
        Transaction transaction = context.transaction();
        if (tellsNothingNew(transaction, notice)) {
            return Decision.store(transaction);
        }
        if (canAsk(context)) {
            return Decision.inquire(asked(context, notice), null);
        }
        // a report never submits: a rail that is asked by resubmission is asked when the call is due
        return transaction.status() == Status.IN_PROCESS ? Decision.store(transaction) : unconfirmed(context, notice);
    }

    /**
     * A rail that is asked by resubmission must not be asked about a submitted cashout: that would submit it again. No rail is asked about a
     * cashout that waits for approval: as an answer to the inquiry, "not found" would submit it.
     */
    private static boolean canAsk(Context context) {
        Transaction transaction = context.transaction();
        return transaction.approvalSince() == null
                && (transaction.operation() == Operation.CASHIN
                        || transaction.status() == Status.IN_ANALYSIS
                        || context.isAskedById());
    }

    /**
     * Stores the question before the inquiry. The rail is then asked until it has answered a question from after the report. Nothing is
     * stored of a new transaction, because with a rail call it would look accepted, nor of a cashout in analysis: it is not submitted yet,
     * and the rail is asked about it anyway.
     */
    private static Transaction asked(Context context, TransactionCommand.RailNotice notice) {
        Transaction transaction = context.transaction();
        boolean isAnalysed = transaction.operation() == Operation.CASHOUT && transaction.status() == Status.IN_ANALYSIS;
        Instant dueAt = context.afterCall();
        Settlement payment =
                notice.payer() == null ? null : new Settlement(notice.endToEndId(), context.now(), notice.payer());
        return transaction.accepted() && !isAnalysed
                ? transaction.with(context.callOrFirst(dueAt).reported(context.now(), payment, dueAt))
                : transaction;
    }

    /** Keeps the question of a report open if {@code answered} follows from an answer to an earlier question. */
    static Decision keepQuestion(Transaction before, Instant askedAt, Decision answered) {
        return before.railCall(null)
                .filter(call -> call.isReportedAfter(askedAt))
                .filter(call -> answered.after().railCall(null).isEmpty())
                .map(call -> answered.withAfter(answered.after().with(call.withoutResolution())))
                .orElse(answered);
    }

    /** Records a report about which the transaction's rail cannot be asked, unless it is a mere hint, or of the payment that is known. */
    private static Decision unconfirmed(Context context, TransactionCommand.RailNotice notice) {
        Transaction transaction = context.transaction();
        return notice.amount() == null || isKnownPayment(transaction, notice)
                ? Decision.store(transaction)
                : Decision.unmatched(
                        transaction, unmatched(notice, UnmatchedPayment.Reason.UNCONFIRMED, context.now()));
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
