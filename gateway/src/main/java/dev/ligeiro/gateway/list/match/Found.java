package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matching transactions, the newest first.
 *
 * @param reached matches with lower ids have not been looked for; null: there are none
 */
public record Found(List<Transaction> rows, @Nullable TransactionId reached) {

    /** All matches: one at most, or none. */
    public static Found all(List<Transaction> rows) {
        return new Found(rows, null);
    }

    /** Whether the search has given up before it had so many rows, although there may be more. */
    public boolean isShortOf(int limit) {
        return rows.size() < limit && reached != null;
    }

    /** All rows that a query has found. */
    static Found of(List<Transaction> rows, int limit) {
        return new Found(rows, rows.size() < limit ? null : rows.get(limit - 1).id());
    }
}
