package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Reads the ids in a request. */
final class AdminIds {

    private AdminIds() {}

    static UUID merchant(ServerRequest request) {
        return id(request, "id");
    }

    /** @throws Problem 404 when the path variable is not a UUID */
    static UUID id(ServerRequest request, String variable) {
        try {
            return Fields.uuid(request.pathVariable(variable));
        } catch (IllegalArgumentException malformed) {
            throw notFound();
        }
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

    static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant, platform or key");
    }
}
