package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request to read a feed: {@code ?after=&limit=}.
 *
 * @param after null for the oldest kept event
 * @param limit the maximum number of events
 */
record FeedQuery(@Nullable FeedCursor after, int limit) {

    static final int LIMIT_MAX = 100;
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,3}");

    static FeedQuery parse(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, Set.of(AFTER, LIMIT));
        FeedCursor after = given.parsed(AFTER, FeedQuery::after);
        Integer limit = given.parsed(LIMIT, FeedQuery::limit);
        given.orThrow();
        return new FeedQuery(after, Objects.requireNonNullElse(limit, LIMIT_MAX));
    }

    /** The answer to a cursor that this feed has not given. */
    static Problem unknownCursor() {
        return Problem.invalid(List.of(FieldError.invalid(AFTER, "expected the next_cursor of a page of your events")));
    }

    private static FeedCursor after(String text) {
        try {
            return FeedCursor.parse(text);
        } catch (IllegalArgumentException otherwise) {
            throw new IllegalArgumentException("expected the next_cursor of a page of your events");
        }
    }

    private static Integer limit(String text) {
        if (!NUMBER.matcher(text).matches() || Integer.parseInt(text) < 1 || Integer.parseInt(text) > LIMIT_MAX) {
            throw new IllegalArgumentException("expected a number from 1 to " + LIMIT_MAX);
        }
        return Integer.valueOf(text);
    }
}
