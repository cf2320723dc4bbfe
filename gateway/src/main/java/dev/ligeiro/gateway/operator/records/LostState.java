package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.message.TransactionEvent;
import org.jspecify.annotations.Nullable;

/**
 * A state of a transaction that Kafka has and MongoDB has not.
 *
 * @param known the latest state in the records that were read
 * @param stored the earlier state in MongoDB; null if the transaction is not stored
 */
record LostState(TransactionEvent known, @Nullable StoredState stored) {

    /** Whether the stored history ends before the one in Kafka. Only announced entries count, because Kafka has no others. */
    boolean isLost() {
        return stored == null || stored.sequence() < known.sequence();
    }
}
