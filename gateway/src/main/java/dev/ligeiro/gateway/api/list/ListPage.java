package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list. A page is read with one more row than it shows: this row shows that there is a next page, also when the
 * number of matches has changed since they were counted. A page is shorter than others if the search for its rows had to give up, if
 * some cannot be decoded, or if their status changes while they are read; the next page goes on where it stopped.
 *
 * @param number from 1; past the end the page is empty
 * @param last the number of the last page, at least 1: an empty list has one empty page
 * @param total the number of all matching transactions
 * @param end the next page continues below this id; null if the page shows none and there are no more
 * @param completeFrom some that were created before are archived, and on no page; null if none is
 */
record ListPage(
        List<TransactionSnapshot> items,
        int number,
        long last,
        long total,
        @Nullable TransactionId end,
        @Nullable Instant completeFrom) {

    /** How many rows a page shows at most. */
    static final int ROWS = 100;

    /** The number of rows to read. */
    static final int ROWS_READ = ROWS + 1;

    /**
     * The page with this number.
     *
     * @param found from the page's first row on, up to {@link #ROWS_READ} rows
     * @param counted the number of matches
     */
    static ListPage at(int number, Found found, long counted) {
        int rows = found.rows().size();
        long total = rows == 0 ? counted : Math.max(counted, firstRow(number) + rows);
        long last = Math.max(1, pages(total));
        return of(found, number, found.isShortOf(ROWS_READ) ? Math.max(last, number + 1) : last, total);
    }

    /**
     * The page after a known row, which a client has reached by following pages. Rows may have been added since the page before, so
     * its last page is its own number plus the pages that the remaining rows fill.
     *
     * @param found below the known row, up to {@link #ROWS_READ} rows
     * @param below the number of matches below the known row
     */
    static ListPage after(int number, Found found, long below, long total) {
        int rows = found.rows().size();
        boolean more = rows == ROWS_READ || found.isShortOf(ROWS_READ);
        long left = more ? Math.max(1, below - Math.min(ROWS, rows)) : 0;
        return of(found, number, number + pages(left), Math.max(total, rows));
    }

    private static ListPage of(Found found, int number, long last, long total) {
        List<TransactionSnapshot> shown =
                List.copyOf(found.rows().subList(0, Math.min(ROWS, found.rows().size())));
        return new ListPage(shown, number, last, total, end(found, shown), null);
    }

    private static @Nullable TransactionId end(Found found, List<TransactionSnapshot> shown) {
        if (found.isShortOf(ROWS_READ)) {
            return found.reached();
        }
        return shown.isEmpty() ? null : shown.get(shown.size() - 1).id();
    }

    /**
     * The same page of a list that has archived matches, too, which no page shows.
     *
     * @param archived their number
     */
    ListPage completeFrom(Instant at, long archived) {
        return new ListPage(items, number, last, total + archived, end, at);
    }

    /** The number of newer matches, for a page that is found by its number. */
    static long firstRow(int number) {
        return (number - 1L) * ROWS;
    }

    boolean hasNext() {
        return number < last;
    }

    private static long pages(long rows) {
        return (rows + ROWS - 1) / ROWS;
    }
}
