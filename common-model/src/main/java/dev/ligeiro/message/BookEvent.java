package dev.ligeiro.message;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.BlockedAmount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What only the books must know: no webhook tells it, and it has no number among the transaction's events. It may arrive twice, always
 * with the same {@link #id}.
 *
 * @param id unique among all book events
 * @param rail the name of the rail that moves or has moved the money
 * @param outgoing whether the money leaves the account at the rail, or has left it
 * @param at truncated to the millisecond
 * @param blocked what it adds to the amount that disputes block, in cents; negative if it releases some, null for nothing
 */
public record BookEvent(
        Type type,
        Tenant tenant,
        TransactionId transactionId,
        String id,
        String rail,
        Amount amount,
        boolean outgoing,
        Instant at,
        @Nullable Long blocked) {

    /** The type of a book event: the {@link EventHeaders#TYPE} of its record. */
    public enum Type implements Coded {
        /** A merchant has asked for a refund: its money is in flight. */
        REFUND_REQUESTED("books.refund_requested"),
        /** A rail has moved money that the transaction cannot take. */
        UNMATCHED_PAYMENT("books.unmatched_payment"),
        /** Operators have booked such money to the merchant. */
        UNMATCHED_CREDITED("books.unmatched_credited"),
        /** Operators have booked such money to themselves. */
        UNMATCHED_KEPT("books.unmatched_kept"),
        /** A rail has sent such money back to its payer. */
        UNMATCHED_RETURNED("books.unmatched_returned");

        private final String code;

        Type(String code) {
            this.code = code;
        }

        @Override
        public String code() {
            return code;
        }
    }

    public BookEvent {
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    public BookEvent(
            Type type,
            Tenant tenant,
            TransactionId transactionId,
            String id,
            String rail,
            Amount amount,
            boolean outgoing,
            Instant at) {
        this(type, tenant, transactionId, id, rail, amount, outgoing, at, null);
    }

    /** Money that no transaction can take. The id is the payment's, so the event may be sent again. */
    public static BookEvent ofUnmatched(
            Tenant tenant,
            TransactionId transaction,
            String rail,
            String endToEndId,
            Amount amount,
            boolean outgoing,
            Instant at) {
        return new BookEvent(
                Type.UNMATCHED_PAYMENT,
                tenant,
                transaction,
                "unmatched_" + rail + "/" + endToEndId,
                rail,
                amount,
                outgoing,
                at);
    }

    /** The request of a refund of {@code transaction}. */
    public static BookEvent of(Transaction transaction, Entry.RefundRequested requested) {
        return new BookEvent(
                Type.REFUND_REQUESTED,
                transaction.tenant(),
                transaction.id(),
                "refund_" + requested.refund(),
                transaction.terms().rail(),
                requested.amount(),
                true,
                requested.at(),
                BlockedAmount.changeBy(transaction, requested));
    }
}
