package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import java.util.UUID;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Reads the ids in a path. */
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

    static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant, platform or key");
    }
}
