package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request to list strays: {@code ?after=}.
 *
 * @param after null for the first page
 */
record StrayQuery(@Nullable PageCursor after) {

    static StrayQuery parse(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, Set.of("after"));
        PageCursor after = given.parsed("after", PageCursor::parse);
        given.orThrow();
        return new StrayQuery(after);
    }
}
