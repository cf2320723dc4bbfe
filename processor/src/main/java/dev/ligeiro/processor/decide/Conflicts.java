package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The changes of a bulk write that were not made.
 *
 * @param stored the stored transaction of each; empty if it is not stored
 * @param keysTaken idempotency keys that other transactions of the tenant have
 */
public record Conflicts(Map<TransactionId, Optional<Transaction>> stored, Set<String> keysTaken) {

    public static final Conflicts NONE = new Conflicts(Map.of(), Set.of());

    boolean isEmpty() {
        return stored.isEmpty();
    }
}
