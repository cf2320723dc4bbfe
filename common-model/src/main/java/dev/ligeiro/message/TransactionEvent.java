package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of one transaction. An event carries the transaction's state right after the change, so that the dispatcher need not
 * read the transaction. An event may arrive twice, always with the same {@link #id}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TransactionEvent.Created.class, name = "transaction.created"),
    @JsonSubTypes.Type(value = TransactionEvent.StatusChanged.class, name = "transaction.status_changed")
})
public sealed interface TransactionEvent {

    /** The transaction right after this event. */
    Transaction transaction();

    /** The status before this event; null for the first event. */
    @Nullable
    Status previousStatus();

    /** Event {@code sequence} of the history of {@code transaction}, independent of later events. */
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

    /** The time of the change. */
    default Instant at() {
        return transaction().lastEvent().at();
    }

    /** The processor has accepted a new transaction. */
    record Created(Transaction transaction) implements TransactionEvent {

        @Override
        public @Nullable Status previousStatus() {
            return null;
        }
    }

    /** A transaction has moved from one status to another. */
    record StatusChanged(Transaction transaction, Status previousStatus) implements TransactionEvent {}
}
