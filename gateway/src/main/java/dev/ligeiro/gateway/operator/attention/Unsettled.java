package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction with an unknown outcome, without its personal data.
 *
 * @param since since when the outcome has been unknown
 */
record Unsettled(TransactionId id, Tenant tenant, String operation, String status, Instant since, List<Call> calls) {

    PageCursor cursor() {
        return new PageCursor(since, id.toString());
    }

    /**
     * An open call to the rail.
     *
     * @param refund the refund that the call is for; null for the transaction itself
     * @param dueAt when a processor looks at it again
     */
    record Call(@Nullable UUID refund, Instant since, int submissions, int inquiries, Instant dueAt) {}
}
