package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.OpenCall;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** What follows from a rail's own report: a question to the rail, or a record of money that the transaction cannot take. */
final class NoticeDecisions {

    private NoticeDecisions() {}

    static Decision decide(
            Transaction transaction, TransactionCommand.RailNotice notice, RailFacts facts, Instant now) {
        if (notice.amount() != null
                && !notice.amount().equals(transaction.terms().amount())) {
            return Decision.stray(transaction, stray(notice, Stray.Reason.OTHER_AMOUNT, now));
        }
        return switch (transaction.status()) {
            case DENIED, CANCELED -> Decision.stray(transaction, stray(notice, Stray.Reason.PAID_AFTER_ITS_END, now));
            case PAID, REFUND ->
                notice.endToEndId().equals(transaction.endToEndId())
                        ? reportedAgain(transaction, facts)
                        : Decision.stray(transaction, stray(notice, Stray.Reason.PAID_TWICE, now));
            case PENDING, EXPIRED ->
                transaction.operation() == Operation.CASHIN
                        ? Decision.inquire(transaction, null)
                        : Decision.stray(transaction, stray(notice, Stray.Reason.NEVER_SUBMITTED, now));
            case IN_ANALYSIS -> Decision.inquire(transaction, null);
            case IN_PROCESS -> inProcess(transaction, transaction.openCall(null).orElseThrow(), facts, now);
        };
    }

    /** A report never submits: a rail that is asked by resubmission is asked when the call is due. */
    private static Decision inProcess(Transaction transaction, OpenCall call, RailFacts facts, Instant now) {
        return facts.inquiry() == RailFacts.Inquiry.BY_ID
                ? Decision.inquire(transaction.with(call.asked(RailSchedule.afterCall(facts, now))), null)
                : Decision.store(transaction);
    }

    /** Money of the payment may have moved back, unless all of it has. Some rails cannot be asked about a payment that they have made. */
    private static Decision reportedAgain(Transaction transaction, RailFacts facts) {
        boolean canAsk = transaction.operation() == Operation.CASHIN || facts.inquiry() == RailFacts.Inquiry.BY_ID;
        return transaction.status() == Status.PAID && canAsk
                ? Decision.inquire(transaction, null)
                : Decision.store(transaction);
    }

    static Stray stray(TransactionCommand.RailNotice notice, Stray.Reason reason, Instant now) {
        return new Stray(notice.rail(), notice.endToEndId(), notice.transactionId(), notice.amount(), reason, now);
    }
}
