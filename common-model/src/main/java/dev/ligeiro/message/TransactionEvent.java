package dev.ligeiro.message;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An announced entry of a transaction's history. An event carries the transaction's state right after the entry, so that the
 * dispatcher need not read the transaction. An event may arrive twice, always with the same {@link #id} and content.
 *
 * @param type follows from the entry
 * @param transaction the transaction right after the entry, which is the last announced one of its history
 */
public record TransactionEvent(EventType type, Transaction transaction) {

    /** The event of announced entry {@code sequence} of {@code transaction}, independent of later entries. */
    public static TransactionEvent of(Transaction transaction, int sequence) {
        Transaction then = transaction.asOf(sequence);
        return new TransactionEvent(EventType.of(then.history().lastAnnounced()), then);
    }

    /** As {@link #of}; empty if {@code transaction} has no such entry, or is null because it is not stored. */
    public static Optional<TransactionEvent> find(@Nullable Transaction transaction, int sequence) {
        return Optional.ofNullable(transaction)
                .filter(stored -> sequence <= stored.history().sequence())
                .map(stored -> of(stored, sequence));
    }

    public EventId id() {
        return new EventId(transaction.id(), transaction.history().sequence());
    }

    /** The status before the entry; null for the creation. */
    public @Nullable Status previousStatus() {
        return transaction.history().previousStatus();
    }

    /** The time of the entry. */
    public Instant at() {
        return transaction.history().lastAnnounced().at();
    }
}
