package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matching transactions, the newest first.
 *
 * @param leftOut the number of matches that cannot be decoded
 * @param bytes those of the documents that were read
 * @param reached matches with lower ids have not been looked for; null: there are none
 */
public record Found(List<TransactionSnapshot> rows, int leftOut, long bytes, @Nullable TransactionId reached) {

    public Found(List<TransactionSnapshot> rows, @Nullable TransactionId reached) {
        this(rows, 0, 0, reached);
    }

    /** All matches: one at most, or none. */
    public static Found all(List<TransactionSnapshot> rows) {
        return new Found(rows, null);
    }

    /** Whether there may be more matches, although there are fewer rows: the search has given up, or some cannot be decoded. */
    public boolean isShortOf(int limit) {
        return rows.size() < limit && reached != null;
    }

    /** Appends the matches of the next, older range. */
    Found and(Found below) {
        return new Found(
                Stream.concat(rows.stream(), below.rows.stream()).toList(),
                leftOut + below.leftOut,
                bytes + below.bytes,
                below.reached);
    }
}
