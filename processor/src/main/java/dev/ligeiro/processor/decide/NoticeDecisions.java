package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.OpenCall;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/**
 * What follows from a rail's own report: a question to the rail. Only a report that cannot be read back is recorded as it is: also that of
 * another rail than the transaction's, which knows nothing of the money there.
 */
final class NoticeDecisions {

    private NoticeDecisions() {}

    static Decision decide(
            Transaction transaction, TransactionCommand.RailNotice notice, RailFacts facts, Instant now) {
        if (!notice.rail().equals(facts.name())) {
            return unconfirmed(transaction, notice, now);
        }
        if (transaction.status() == Status.IN_PROCESS) {
            return inProcess(transaction, transaction.openCall(null).orElseThrow(), facts, now);
        }
        return canAsk(transaction, facts) ? Decision.inquire(transaction, null) : unconfirmed(transaction, notice, now);
    }

    /** A report never submits: a rail that is asked by resubmission is asked when the call is due. */
    private static Decision inProcess(Transaction transaction, OpenCall call, RailFacts facts, Instant now) {
        return facts.inquiry() == RailFacts.Inquiry.BY_ID
                ? Decision.inquire(transaction.with(call.asked(RailSchedule.afterCall(facts, now))), null)
                : Decision.store(transaction);
    }

    /** A rail that is asked by resubmission must not be asked about a cashout that is not in process: that would submit it. */
    private static boolean canAsk(Transaction transaction, RailFacts facts) {
        return transaction.operation() == Operation.CASHIN
                || transaction.status() == Status.IN_ANALYSIS
                || facts.inquiry() == RailFacts.Inquiry.BY_ID;
    }

    /** Records a report about which the transaction's rail cannot be asked, unless it is of the payment that is known. */
    static Decision unconfirmed(Transaction transaction, TransactionCommand.RailNotice notice, Instant now) {
        return isKnownPayment(transaction, notice)
                ? Decision.store(transaction)
                : Decision.stray(transaction, stray(notice, Stray.Reason.UNCONFIRMED, now));
    }

    private static boolean isKnownPayment(Transaction transaction, TransactionCommand.RailNotice notice) {
        boolean isPaid = transaction.status() == Status.PAID || transaction.status() == Status.REFUND;
        boolean isItsAmount = notice.amount() == null
                || notice.amount().equals(transaction.terms().amount());
        return isPaid && isItsAmount && notice.endToEndId().equals(transaction.endToEndId());
    }

    static Stray stray(TransactionCommand.RailNotice notice, Stray.Reason reason, Instant now) {
        return new Stray(notice.rail(), notice.endToEndId(), notice.transactionId(), notice.amount(), reason, now);
    }
}
