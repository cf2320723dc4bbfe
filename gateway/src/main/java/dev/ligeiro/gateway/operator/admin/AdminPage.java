package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

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

    /**
     * The id in {@code ?after=}, the only query parameter of a list; null for its first page.
     *
     * @throws Problem 422 for another parameter or form
     */
    static @Nullable UUID after(ServerRequest request) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return after;
    }

    public <R> AdminPage<R, C> map(Function<T, R> item) {
        return new AdminPage<>(items.stream().map(item).toList(), next);
    }
}
