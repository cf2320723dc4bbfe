package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money that a rail reported and no transaction can take.
 *
 * @param transactionId the transaction that the rail named, which may not exist
 * @param amount null when the rail reported none
 */
record StoredUnmatchedPayment(
        String id,
        String rail,
        String endToEndId,
        TransactionId transactionId,
        @Nullable Amount amount,
        String reason,
        Instant at) {

    PageCursor cursor() {
        return new PageCursor(at, id);
    }
}
