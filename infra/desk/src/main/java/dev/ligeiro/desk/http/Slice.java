package dev.ligeiro.desk.http;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;

/**
 * A part of a list.
 *
 * @param next the place of the last item, after which the next page begins; null on the last page
 */
public record Slice<T>(List<T> items, @Nullable String next) {

    public static final int ITEMS_MAX = 100;

    private static final Duration READ_MAX = Duration.ofSeconds(5);

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

    /** The query of a page: what comes behind {@code after}, the newest first, since ids begin with their time. */
    public static Query newestFirst(Criteria which, @Nullable UUID after) {
        return query(after == null ? which : which.and("_id").lt(after), Sort.by(Sort.Direction.DESC, "_id"));
    }

    /**
     * The query of a page: what comes behind {@code after}, the oldest first by {@code time}, then by id.
     *
     * @param id that of a place, in the type of the stored ones
     */
    public static Query oldestFirst(
            Criteria which, String time, @Nullable PageCursor after, Function<PageCursor, Object> id) {
        if (after != null) {
            which.and(time)
                    .gte(after.at())
                    .orOperator(where(time).gt(after.at()), where("_id").gt(id.apply(after)));
        }
        return query(which, Sort.by(time, "_id"));
    }

    private static Query query(Criteria which, Sort order) {
        return Query.query(which)
                .with(order)
                .limit(ITEMS_MAX + 1)
                .cursorBatchSize(ITEMS_MAX + 1)
                .maxTime(READ_MAX);
    }
}
