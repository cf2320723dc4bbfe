package dev.ligeiro.processor.decide;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;

/** What a run tells the books beside its events. */
final class BookEvents {

    private BookEvents() {}

    /**
     * The requests of refunds from the entry before event {@code announceFrom} on, and the unmatched payments. A request that is sent again is
     * the same event, so the books need no number of the first one that was not sent.
     */
    static List<BookEvent> of(Transaction transaction, int announceFrom, List<UnmatchedPayment> unmatched) {
        List<BookEvent> found = new ArrayList<>();
        int announced = 0;
        for (Entry entry : transaction.history().entries()) {
            if (entry.announced()) {
                announced++;
            } else if (announced >= announceFrom - 1
                    && entry instanceof Entry.RefundRequested requested
                    && requested.source() == Source.MERCHANT) {
                found.add(BookEvent.of(transaction, requested));
            }
        }
        for (UnmatchedPayment payment : unmatched) {
            if (payment.amount() != null && !payment.amount().equals(Amount.ZERO)) {
                found.add(of(transaction, payment, payment.amount()));
            }
        }
        return found;
    }

    private static BookEvent of(Transaction transaction, UnmatchedPayment payment, Amount amount) {
        boolean isBack =
                switch (payment.reason()) {
                    case RETURNED_TOO_MUCH, REFUNDED_AFTER_FAILURE -> true;
                    case UNKNOWN_TRANSACTION,
                            UNCONFIRMED,
                            NEVER_SUBMITTED,
                            OTHER_AMOUNT,
                            PAID_TWICE,
                            PAID_AFTER_ITS_END -> false;
                };
        boolean isCashout = transaction.operation() == Operation.CASHOUT;
        return new BookEvent(
                BookEvent.Type.UNMATCHED_PAYMENT,
                transaction.tenant(),
                transaction.id(),
                "unmatched_" + payment.rail() + "/" + payment.endToEndId(),
                payment.rail(),
                amount,
                isCashout != isBack,
                payment.at());
    }
}
