package dev.ligeiro.transaction;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How much of a payment its disputes block, as the history tells: what is claimed and has not come back to the payer, and never more than
 * what is left of the payment. The amount of a lost dispute stays blocked until the rail has moved it back, or {@link
 * Dispute#RETURNED_WITHIN} is over.
 */
public final class BlockedAmount {

    private BlockedAmount() {}

    /** What {@code entry}, one of the history, adds to it in cents; negative if it releases some, null if it changes nothing. */
    public static @Nullable Long changeBy(Transaction transaction, Entry entry) {
        List<Entry> entries = transaction.history().entries();
        if (!hasDisputes(entries)) {
            return null;
        }
        int index = entries.indexOf(entry);
        long before = index == 0 ? 0 : cents(transaction, new History(entries.subList(0, index)));
        long change = cents(transaction, new History(entries.subList(0, index + 1))) - before;
        return change == 0 ? null : change;
    }

    /** Whether the dispute is lost, and some of its amount is blocked until the rail moves it back. */
    public static boolean waitsForReturn(Transaction transaction, UUID dispute) {
        History history = transaction.history();
        return history.dispute(dispute)
                        .filter(one -> one.status() == Dispute.Status.LOST)
                        .isPresent()
                && claimed(history, dispute) > 0
                && left(transaction, history) > 0;
    }

    private static boolean hasDisputes(List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry instanceof Entry.DisputeOpened) {
                return true;
            }
        }
        return false;
    }

    private static long cents(Transaction transaction, History history) {
        return Math.min(claimed(history, null), left(transaction, history));
    }

    /** What no refund has moved back or may move back. Money that the rail moves by itself is reported when it has moved. */
    private static long left(Transaction transaction, History history) {
        long gone = history.refunds().stream()
                .filter(refund -> refund.state() == Refund.State.REFUNDED
                        || refund.state() == Refund.State.PROCESSING && refund.wasAskedFor())
                .mapToLong(refund -> refund.amount().cents())
                .sum();
        return transaction.terms().amount().cents() - gone;
    }

    /**
     * What is claimed and not returned. A rail need not tell to which dispute a return belongs, so it is counted to the lost ones, the oldest
     * first.
     *
     * @param only the dispute that is counted; null for all
     */
    private static long claimed(History history, @Nullable UUID only) {
        Set<UUID> released = released(history);
        long returned = returned(history);
        long claimed = 0;
        for (Dispute dispute : history.disputes()) {
            boolean isLost = dispute.status() == Dispute.Status.LOST;
            long covered = isLost ? Math.min(returned, dispute.amount().cents()) : 0;
            returned -= covered;
            boolean mayGo = isLost
                    ? !released.contains(dispute.id())
                    : !dispute.status().isFinal();
            boolean counts = mayGo && (only == null || only.equals(dispute.id()));
            claimed += counts ? dispute.amount().cents() - covered : 0;
        }
        return claimed;
    }

    private static long returned(History history) {
        return history.refunds().stream()
                .filter(refund -> refund.state() == Refund.State.REFUNDED
                        && refund.source() == Source.RAIL
                        && mayBeOfClaim(refund.rail()))
                .mapToLong(refund -> refund.amount().cents())
                .sum();
    }

    /** Unless the rail says that it has moved the money for another reason. */
    private static boolean mayBeOfClaim(@Nullable RailReturn said) {
        return said == null || said.nature() == null || said.nature().startsWith("MED_");
    }

    /** The lost disputes whose amount the rail has not moved back in time. */
    private static Set<UUID> released(History history) {
        Set<UUID> released = new HashSet<>();
        for (Entry entry : history.entries()) {
            if (entry instanceof Entry.DisputeUpdated updated && updated.status() == Dispute.Status.LOST) {
                released.add(updated.dispute());
            }
        }
        return released;
    }
}
