package dev.ligeiro.gateway.list;

import dev.ligeiro.transaction.Transaction;
import java.util.List;

/**
 * One page of a list.
 *
 * @param number from 1; past the end the page is empty
 * @param total the number of all matching transactions
 */
record ListPage(List<Transaction> items, int number, long total) {

    /** At least 1: an empty list has one empty page. */
    long last() {
        return Math.max(1, (total + ListQuery.PAGE_SIZE - 1) / ListQuery.PAGE_SIZE);
    }

    boolean hasNext() {
        return number < last();
    }
}
