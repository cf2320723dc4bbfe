package dev.ligeiro.gateway.operator.admin;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next the place of the last item, after which the next page begins; null on the last page. Its text is the {@code next_cursor}
 */
public record AdminPage<T, C>(List<T> items, @Nullable C next) {

    public static final int ITEMS_MAX = 100;

    /** @param found up to one more item than a page has */
    public static <T, C> AdminPage<T, C> of(List<T> found, Function<T, C> place) {
        return found.size() <= ITEMS_MAX
                ? new AdminPage<>(found, null)
                : new AdminPage<>(found.subList(0, ITEMS_MAX), place.apply(found.get(ITEMS_MAX - 1)));
    }

    public <R> AdminPage<R, C> map(Function<T, R> item) {
        return new AdminPage<>(items.stream().map(item).toList(), next);
    }
}
