package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import java.util.UUID;
import org.springframework.web.reactive.function.server.ServerRequest;

/** The paths of webhook endpoints. */
public final class EndpointPath {

    public static final String ALL = "/api/v1/webhooks";
    public static final String ONE = ALL + "/{id}";

    private EndpointPath() {}

    /** @throws Problem 404 for a malformed id */
    public static UUID id(ServerRequest request) {
        try {
            return Fields.uuid(request.pathVariable("id"));
        } catch (IllegalArgumentException malformed) {
            throw notFound();
        }
    }

    public static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "You have no webhook endpoint with this id");
    }
}
