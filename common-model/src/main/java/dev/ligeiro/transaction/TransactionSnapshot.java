package dev.ligeiro.transaction;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a merchant is shown of a transaction, in responses and in webhooks. Its size is bounded, however many refunds there are.
 *
 * @param endToEndId the payment's: the rail's own when it has reported one; {@code ""} before, in live mode
 * @param statuses the statuses so far, the oldest first; never empty
 * @param denialReason why it was denied, a code of Ligeiro or of the rail; null unless it is denied
 */
public record TransactionSnapshot(
        TransactionId id,
        Tenant tenant,
        Operation operation,
        Terms terms,
        String endToEndId,
        List<StatusAt> statuses,
        RefundSummary refunds,
        @Nullable String denialReason) {

    public TransactionSnapshot {
        statuses = List.copyOf(statuses);
        if (statuses.isEmpty()) {
            throw new IllegalArgumentException("statuses: none (expected: at least the first)");
        }
    }

    public TransactionSnapshot withRefunds(RefundSummary others) {
        return new TransactionSnapshot(id, tenant, operation, terms, endToEndId, statuses, others, denialReason);
    }

    public record StatusAt(Status status, Instant at) {

        /** The API's {@code finished}: {@code at} if {@link Status#isFinished}, else null. */
        @Nullable
        Instant finishedAt() {
            return status.isFinished() ? at : null;
        }
    }

    static TransactionSnapshot of(Transaction transaction, RefundSummary refunds) {
        List<StatusAt> statuses = transaction.history().statuses();
        return new TransactionSnapshot(
                transaction.id(),
                transaction.tenant(),
                transaction.operation(),
                transaction.terms(),
                transaction.endToEndId(),
                statuses,
                refunds,
                transaction.history().denialReason());
    }

    public Status status() {
        return latest().status();
    }

    /** The API's {@code finished}: the time at which the status began if {@link Status#isFinished}, else null. */
    public @Nullable Instant finishedAt() {
        return latest().finishedAt();
    }

    private StatusAt latest() {
        return statuses.get(statuses.size() - 1);
    }

    @Override
    public String toString() {
        return "TransactionSnapshot[id=" + id + ", status=" + status().code() + "]";
    }
}
