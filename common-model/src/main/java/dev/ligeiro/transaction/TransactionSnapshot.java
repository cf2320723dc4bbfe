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
 * @param paidBy who has paid; null unless the rail tells and the merchant may see it
 * @param payerMismatch {@code true} if that is not the one who had to; null otherwise
 */
public record TransactionSnapshot(
        TransactionId id,
        Tenant tenant,
        Operation operation,
        Terms terms,
        String endToEndId,
        List<StatusAt> statuses,
        RefundSummary refunds,
        @Nullable String denialReason,
        @Nullable Payer paidBy,
        @Nullable Boolean payerMismatch) {

    public TransactionSnapshot {
        statuses = List.copyOf(statuses);
        if (statuses.isEmpty()) {
            throw new IllegalArgumentException("statuses: none (expected: at least the first)");
        }
    }

    public TransactionSnapshot withRefunds(RefundSummary others) {
        return new TransactionSnapshot(
                id, tenant, operation, terms, endToEndId, statuses, others, denialReason, paidBy, payerMismatch);
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
                transaction.history().denialReason(),
                paidBy(transaction),
                transaction.history().hasPayerMismatch() ? true : null);
    }

    private static @Nullable Payer paidBy(Transaction transaction) {
        PayerRules rules = transaction.terms().payerRules();
        return rules == null || !rules.visible()
                ? null
                : transaction.history().payer().orElse(null);
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

    /**
     * What a merchant is shown of a transaction's refunds: the totals of all of them, and a bounded number of single ones.
     *
     * @param refunded the sum of those that were made
     * @param count the number of all refunds, in every state
     * @param shown some of them, the oldest first; at most {@value #SHOWN_MAX}
     */
    public record RefundSummary(Amount refunded, int count, List<Refund> shown) {

        /** Bounds the size of a shown transaction; the API has all refunds on a page of their own. */
        public static final int SHOWN_MAX = 20;

        public static final RefundSummary NONE = new RefundSummary(new Amount(0), 0, List.of());

        public RefundSummary {
            shown = List.copyOf(shown);
        }

        /** @param all the refunds of a transaction, the oldest first */
        static RefundSummary newest(List<Refund> all) {
            return of(all, all.subList(Math.max(0, all.size() - SHOWN_MAX), all.size()));
        }

        /** Shows only the refund that {@code entry} ends; none if it ends none. */
        static RefundSummary endedBy(Entry entry, List<Refund> all) {
            RefundId ended = null;
            if (entry instanceof Entry.RefundMade made) {
                ended = made.refund();
            } else if (entry instanceof Entry.RefundFailed failed) {
                ended = failed.refund();
            }
            RefundId shown = ended;
            return of(
                    all,
                    all.stream().filter(refund -> refund.id().equals(shown)).toList());
        }

        private static RefundSummary of(List<Refund> all, List<Refund> shown) {
            return all.isEmpty() ? NONE : new RefundSummary(Refund.made(all), all.size(), shown);
        }
    }
}
