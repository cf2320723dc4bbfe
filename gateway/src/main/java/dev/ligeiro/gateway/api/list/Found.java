package dev.ligeiro.gateway.api.list;

import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matching transactions, the newest first.
 *
 * @param leftOut the number of matches that cannot be decoded
 * @param reached matches with lower ids have not been looked for; null: there are none
 */
record Found(List<TransactionSnapshot> rows, int leftOut, @Nullable TransactionId reached) {

    /** All matches: one at most, or none. */
    static Found all(List<TransactionSnapshot> rows) {
        return new Found(rows, 0, null);
    }

    /** Whether there may be more matches, although there are fewer rows: the search has given up, or some rows were left out. */
    boolean isShortOf(int limit) {
        return rows.size() < limit && reached != null;
    }
}
