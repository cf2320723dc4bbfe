package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** What follows from a rail's own report: a question to the rail, or a record of money that the transaction cannot take. */
final class NoticeDecisions {

    private NoticeDecisions() {}

    static Decision decide(Transaction transaction, TransactionCommand.RailNotice notice, Instant now) {
        if (notice.amount() != null
                && !notice.amount().equals(transaction.terms().amount())) {
            return Decision.stray(transaction, stray(notice, Stray.Reason.OTHER_AMOUNT, now));
        }
        return switch (transaction.status()) {
            case DENIED, CANCELED -> Decision.stray(transaction, stray(notice, Stray.Reason.PAID_AFTER_ITS_END, now));
            case PAID, REFUND ->
                notice.endToEndId().equals(transaction.endToEndId())
                        ? reportedAgain(transaction)
                        : Decision.stray(transaction, stray(notice, Stray.Reason.PAID_TWICE, now));
            case PENDING, EXPIRED, IN_ANALYSIS, IN_PROCESS -> Decision.inquire(transaction, null);
        };
    }

    /** Money of the payment may have moved back, unless all of it has. */
    private static Decision reportedAgain(Transaction transaction) {
        return transaction.status() == Status.PAID ? Decision.inquire(transaction, null) : Decision.store(transaction);
    }

    static Stray stray(TransactionCommand.RailNotice notice, Stray.Reason reason, Instant now) {
        return new Stray(notice.rail(), notice.endToEndId(), notice.transactionId(), notice.amount(), reason, now);
    }
}
