package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matching transactions, the newest first.
 *
 * @param leftOut the number of matches that cannot be decoded
 * @param reached matches with lower ids have not been looked for; null: there are none
 */
public record Found(List<Transaction> rows, int leftOut, @Nullable TransactionId reached) {

    public Found(List<Transaction> rows, @Nullable TransactionId reached) {
        this(rows, 0, reached);
    }

    /** All matches: one at most, or none. */
    public static Found all(List<Transaction> rows) {
        return new Found(rows, null);
    }

    /** Whether there may be more matches, although there are fewer rows: the search has given up, or some cannot be decoded. */
    public boolean isShortOf(int limit) {
        return rows.size() < limit && reached != null;
    }

    /** These, and then those that were found below them. */
    Found and(Found below) {
        return new Found(
                Stream.concat(rows.stream(), below.rows.stream()).toList(), leftOut + below.leftOut, below.reached);
    }
}
