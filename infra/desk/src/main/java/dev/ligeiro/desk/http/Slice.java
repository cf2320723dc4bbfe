package dev.ligeiro.desk.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next the place of the last item, after which the next page begins; null on the last page
 */
public record Slice<T>(List<T> items, @Nullable String next) {

    public static final int ITEMS_MAX = 100;

    /** @param found up to one more item than a page has */
    public static <T> Slice<T> of(List<T> found, Function<T, Object> place) {
        return found.size() <= ITEMS_MAX
                ? new Slice<>(found, null)
                : new Slice<>(
                        found.subList(0, ITEMS_MAX),
                        place.apply(found.get(ITEMS_MAX - 1)).toString());
    }

    public <R> Slice<R> map(Function<T, R> item) {
        return new Slice<>(items.stream().map(item).toList(), next);
    }
}
