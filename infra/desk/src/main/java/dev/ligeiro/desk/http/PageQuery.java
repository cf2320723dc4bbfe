package dev.ligeiro.desk.http;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;

/** The query of a list's page: one document more than a {@link Slice} shows, within 5 seconds. */
public final class PageQuery {

    private static final Duration TIME_MAX = Duration.ofSeconds(5);

    private PageQuery() {}

    /** What comes behind {@code after}, the newest first: ids begin with their time. */
    public static Query newestFirst(Criteria which, @Nullable UUID after) {
        return page(after == null ? which : which.and("_id").lt(after), Sort.by(Sort.Direction.DESC, "_id"));
    }

    /**
     * What comes behind {@code after}, the oldest first by {@code time}, then by id.
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
        return page(which, Sort.by(time, "_id"));
    }

    private static Query page(Criteria which, Sort order) {
        return Query.query(which)
                .with(order)
                .limit(Slice.ITEMS_MAX + 1)
                .cursorBatchSize(Slice.ITEMS_MAX + 1)
                .maxTime(TIME_MAX);
    }
}
