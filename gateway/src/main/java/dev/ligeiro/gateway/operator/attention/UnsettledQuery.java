package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request to list unsettled transactions: {@code ?older_than=&after=}.
 *
 * @param olderThan the outcome has been unknown for longer
 * @param after null for the first page
 */
record UnsettledQuery(Duration olderThan, @Nullable PageCursor after) {

    static final Duration OLDER_THAN = Duration.ofMinutes(10);

    private static final Set<String> KNOWN = Set.of("older_than", "after");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    static UnsettledQuery parse(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, KNOWN);
        Duration olderThan = given.parsed("older_than", UnsettledQuery::seconds);
        PageCursor after = given.parsed("after", UnsettledQuery::cursor);
        given.orThrow();
        return new UnsettledQuery(olderThan == null ? OLDER_THAN : olderThan, after);
    }

    private static Duration seconds(String text) {
        if (!SECONDS.matcher(text).matches()) {
            throw new IllegalArgumentException("expected a number of seconds, at most 999999999");
        }
        return Duration.ofSeconds(Long.parseLong(text));
    }

    private static PageCursor cursor(String text) {
        PageCursor cursor = PageCursor.parse(text);
        if (TransactionId.parse(cursor.id()).isEmpty()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return cursor;
    }
}
