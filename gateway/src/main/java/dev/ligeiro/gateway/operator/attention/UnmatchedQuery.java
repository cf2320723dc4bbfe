package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request to list unmatched payments: {@code ?after=}.
 *
 * @param after null for the first page
 */
record UnmatchedQuery(@Nullable PageCursor after) {

    static UnmatchedQuery parse(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, Set.of("after"));
        PageCursor after = given.parsed("after", PageCursor::parse);
        given.orThrow();
        return new UnmatchedQuery(after);
    }
}
