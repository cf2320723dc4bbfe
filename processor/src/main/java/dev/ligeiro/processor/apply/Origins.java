package dev.ligeiro.processor.apply;

import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The origins of the commands of a batch, for the records that follow from them, and when they came. Not safe for use by several threads
 * while commands are added.
 */
public final class Origins {

    private final Map<TransactionId, Origin> creations = new HashMap<>();
    private final Map<TransactionId, Origin> last = new HashMap<>();
    private final Map<TransactionId, Instant> appended = new HashMap<>();

    /**
     * Call it in the order of the commands.
     *
     * @param appendedAt when Kafka's broker got the command
     */
    public void add(TransactionCommand command, Origin origin, Instant appendedAt) {
        appended.putIfAbsent(command.transactionId(), appendedAt);
        if (origin.equals(Origin.NONE)) {
            return;
        }
        last.put(command.transactionId(), origin);
        if (command instanceof TransactionCommand.Process) {
            creations.put(command.transactionId(), origin);
        }
    }

    /**
     * The origin of {@code transaction.created} is that of the creation; all other events of the transaction have that of its last
     * command in the batch. So an event between two commands of one batch can have the origin of the later one.
     */
    public Origin of(TransactionEvent event) {
        Map<TransactionId, Origin> origins = event.type() == EventType.CREATED ? creations : last;
        return origins.getOrDefault(event.transaction().id(), Origin.NONE);
    }

    /** The origin of the transaction's last command. */
    public Origin of(TransactionId id) {
        return last.getOrDefault(id, Origin.NONE);
    }

    /** When Kafka's broker got the transaction's first command of the batch. */
    Instant appendedAt(TransactionId id) {
        return appended.getOrDefault(id, Instant.MAX);
    }
}
