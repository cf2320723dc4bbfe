package dev.ligeiro.processor.decide;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
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
                    && requested.wasAskedFor()) {
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

    /** Of a payment that names {@code transaction}. */
    private static BookEvent of(Transaction transaction, UnmatchedPayment payment, Amount amount) {
        return BookEvent.ofUnmatched(
                transaction.tenant(),
                transaction.id(),
                payment.rail(),
                payment.endToEndId(),
                amount,
                payment.isOutgoing(transaction.operation()),
                payment.at());
    }
}
