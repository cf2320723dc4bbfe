package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a walk has found, the highest first.
 *
 * @param reached matches with lower ids have not been looked for; null: there are none
 */
record FoundIds(List<TransactionId> ids, @Nullable TransactionId reached) {

    /** Of at least one id. */
    TransactionId lowest() {
        return ids.get(ids.size() - 1);
    }
}
