package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request for a list: {@code ?after=}, for audit entries also {@code &merchant=}.
 *
 * @param merchantId null for all
 * @param after null for the first page
 */
record AdminQuery(@Nullable UUID merchantId, @Nullable UUID after) {

    static AdminQuery parse(MultiValueMap<String, String> parameters) {
        return parse(parameters, Set.of("after"));
    }

    static AdminQuery parseOfAudit(MultiValueMap<String, String> parameters) {
        return parse(parameters, Set.of("merchant", "after"));
    }

    private static AdminQuery parse(MultiValueMap<String, String> parameters, Set<String> known) {
        QueryParameters given = new QueryParameters(parameters, known);
        UUID merchantId = given.parsed("merchant", Fields::uuid);
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return new AdminQuery(merchantId, after);
    }
}
