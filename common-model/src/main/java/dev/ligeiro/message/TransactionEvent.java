package dev.ligeiro.message;

import dev.ligeiro.transaction.BlockedAmount;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An announced entry of a transaction's history. An event carries all that its webhook shows, so that the dispatcher need not read the
 * transaction. An event may arrive twice, always with the same {@link #id} and content. Its JSON has at most 32 kB.
 *
 * @param type follows from the entry
 * @param sequence the number of the entry among the announced ones, from 1
 * @param at the time of the entry
 * @param previousStatus the status before the entry; null for the creation
 * @param resolved {@code true} if operators have decided that the transaction is paid; null otherwise
 * @param dispute the dispute that the entry is about, right after it; null if it is about none
 * @param blocked what the entry adds to the amount that disputes block, in cents; negative if it releases some, null for nothing
 * @param transaction the transaction right after the entry, with the refund that the entry is about
 */
public record TransactionEvent(
        EventType type,
        int sequence,
        Instant at,
        @Nullable Status previousStatus,
        @Nullable Boolean resolved,
        @Nullable Dispute dispute,
        @Nullable Long blocked,
        TransactionSnapshot transaction) {

    /** The event of announced entry {@code sequence} of {@code transaction}, independent of later entries. */
    public static TransactionEvent of(Transaction transaction, int sequence) {
        History then = transaction.history().asOf(sequence);
        UUID dispute = then.lastAnnounced().dispute();
        return new TransactionEvent(
                EventType.of(then.lastAnnounced()),
                sequence,
                then.lastAnnounced().at(),
                then.previousStatus(),
                isResolved(then.lastAnnounced()) ? true : null,
                dispute == null ? null : then.dispute(dispute).orElse(null),
                BlockedAmount.changeBy(transaction, then.lastAnnounced()),
                transaction.announced(sequence));
    }

    private static boolean isResolved(Entry entry) {
        return entry instanceof Entry.StatusChanged changed
                && changed.status() == Status.PAID
                && changed.source() == Source.OPERATOR;
    }

    /** As {@link #of}; empty if {@code transaction} has no such entry, or is null because it is not stored. */
    public static Optional<TransactionEvent> find(@Nullable Transaction transaction, int sequence) {
        return Optional.ofNullable(transaction)
                .filter(stored -> sequence <= stored.history().sequence())
                .map(stored -> of(stored, sequence));
    }

    public EventId id() {
        return new EventId(transaction.id(), sequence);
    }
}
