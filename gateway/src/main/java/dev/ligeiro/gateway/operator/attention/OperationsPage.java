package dev.ligeiro.gateway.operator.attention;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next null on the last page
 */
record OperationsPage<T>(List<T> items, @Nullable PageCursor next) {

    static final int ITEMS_MAX = 100;

    /** @param found up to one more item than a page has */
    static <T> OperationsPage<T> of(List<T> found, Function<T, PageCursor> cursor) {
        return found.size() <= ITEMS_MAX
                ? new OperationsPage<>(found, null)
                : new OperationsPage<>(found.subList(0, ITEMS_MAX), cursor.apply(found.get(ITEMS_MAX - 1)));
    }
}
