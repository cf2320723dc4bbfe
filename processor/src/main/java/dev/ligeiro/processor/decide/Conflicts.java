package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The updates of a bulk write that were not made.
 *
 * @param stored the stored transaction of each; empty if it is not stored
 * @param keysTaken idempotency keys that another transaction of their tenant has
 */
public record Conflicts(Map<TransactionId, Optional<Transaction>> stored, Set<TakenKey> keysTaken) {

    public static final Conflicts NONE = new Conflicts(Map.of(), Set.of());

    /** An idempotency key of a tenant. */
    public record TakenKey(Tenant tenant, String key) {}
}
