package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money that no transaction can take, as the answer of a rail says. It is recorded for the operator and never applied. A report
 * about which no rail can be asked is recorded too, with a reason of its own.
 *
 * @param rail the rail's name
 * @param endToEndId the reported payment; with the rail it identifies the unmatched payment
 * @param transactionId the transaction that the rail names, which may not exist
 * @param amount null when the rail reports none
 */
public record UnmatchedPayment(
        String rail,
        String endToEndId,
        TransactionId transactionId,
        @Nullable Amount amount,
        Reason reason,
        Instant at) {

    /** Why no transaction can take the money. */
    public enum Reason implements Coded {
        /** Known from a report only: a rail cannot be asked about a transaction that is not stored. */
        UNKNOWN_TRANSACTION,
        /** Known from a report only: the rail cannot be asked about the transaction any more, or it is not the transaction's rail. */
        UNCONFIRMED,
        /** The transaction is a cashout that was never submitted. */
        NEVER_SUBMITTED,
        OTHER_AMOUNT,
        PAID_TWICE,
        /** The transaction was denied or canceled before. */
        PAID_AFTER_ITS_END,
        /** The rail moved back more than the transaction's amount. */
        RETURNED_TOO_MUCH,
        /** The rail made a refund that it had rejected. */
        REFUNDED_AFTER_FAILURE;

        /** Whether the money of a transaction has moved back. */
        boolean isBack() {
            return this == RETURNED_TOO_MUCH || this == REFUNDED_AFTER_FAILURE;
        }
    }

    /** Whether the money has left the account at the rail, in place of coming in. */
    public boolean isOutgoing(Operation operation) {
        return (operation == Operation.CASHOUT) != reason.isBack();
    }
}
