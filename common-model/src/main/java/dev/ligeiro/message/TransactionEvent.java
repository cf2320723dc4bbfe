package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one transaction. An event carries the transaction as it was right after, so that whoever tells the merchant
 * reads nothing. It may arrive twice, always with the same {@link #id}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TransactionEvent.Created.class, name = "transaction.created"),
    @JsonSubTypes.Type(value = TransactionEvent.StatusChanged.class, name = "transaction.status_changed")
})
public sealed interface TransactionEvent {

    /** The transaction right after this event. */
    Transaction transaction();

    /** The status before this event; null when there was none. */
    @Nullable
    Status previousStatus();

    /** The event of number {@code sequence} in the history of {@code transaction}, whatever has happened since. */
    static TransactionEvent of(Transaction transaction, int sequence) {
        Transaction then = transaction.asOf(sequence);
        int entries = then.events().size();
        return entries == 1
                ? new Created(then)
                : new StatusChanged(then, then.events().get(entries - 2).status());
    }

    default EventId id() {
        return new EventId(transaction().id(), transaction().version());
    }

    default EventType eventType() {
        return EventType.of(transaction().status());
    }

    /** When it happened. */
    default Instant at() {
        return transaction().lastEvent().at();
    }

    /** The processor has taken a new transaction over. */
    record Created(Transaction transaction) implements TransactionEvent {

        @Override
        public @Nullable Status previousStatus() {
            return null;
        }
    }

    /** A transaction has moved from one status to another. */
    record StatusChanged(Transaction transaction, Status previousStatus) implements TransactionEvent {}
}
