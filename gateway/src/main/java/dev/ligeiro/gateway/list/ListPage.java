package dev.ligeiro.gateway.list;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list. A page is read with one more row than it shows: this row shows that there is a next page, also when the
 * number of matches has changed since they were counted.
 *
 * @param number from 1; past the end the page is empty
 * @param last the number of the last page, at least 1: an empty list has one empty page
 * @param total the number of all matching transactions
 */
record ListPage(List<Transaction> items, int number, long last, long total) {

    /** How many rows a page shows at most. */
    static final int ROWS = 100;

    /** The number of rows to read. */
    static final int ROWS_READ = ROWS + 1;

    /**
     * The page with this number.
     *
     * @param rows from the page's first one on, up to {@link #ROWS_READ}
     * @param counted the number of matches
     */
    static ListPage at(int number, List<Transaction> rows, long counted) {
        long total = rows.isEmpty() ? counted : Math.max(counted, firstRow(number) + rows.size());
        return new ListPage(shown(rows), number, Math.max(1, pages(total)), total);
    }

    /**
     * The page after a known row, which a client has reached by following pages. Rows may have been added since the page before, so its
     * last page follows from the rows that are left.
     *
     * @param rows below the known one, up to {@link #ROWS_READ}
     * @param below the number of matches below the known row
     */
    static ListPage after(int number, List<Transaction> rows, long below, long total) {
        long left = rows.size() < ROWS_READ ? 0 : Math.max(1, below - ROWS);
        return new ListPage(shown(rows), number, number + pages(left), Math.max(total, rows.size()));
    }

    /** The number of newer matches, for a page that is found by its number. */
    static long firstRow(int number) {
        return (number - 1L) * ROWS;
    }

    boolean hasNext() {
        return number < last;
    }

    /** The last shown row, below which the next page continues; null if none is shown. */
    @Nullable
    TransactionId lastRow() {
        return items.isEmpty() ? null : items.get(items.size() - 1).id();
    }

    private static List<Transaction> shown(List<Transaction> rows) {
        return List.copyOf(rows.subList(0, Math.min(ROWS, rows.size())));
    }

    private static long pages(long rows) {
        return (rows + ROWS - 1) / ROWS;
    }
}
