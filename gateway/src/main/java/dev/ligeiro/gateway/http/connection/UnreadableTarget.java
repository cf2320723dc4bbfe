package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.problem.RequestId;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Sends a problem for a request whose head has a {@link RequestHead} fault, or whose target is not a valid URI, such as
 * {@code ?reference=a|b}, or is not valid with its forwarded headers. Spring ends the latter two with an empty 400 before any handler runs.
 */
final class UnreadableTarget {

    private final EarlyProblems problems;

    UnreadableTarget(EarlyProblems problems) {
        this.problems = problems;
    }

    /** @param handled the handling of the request, which begins with the subscription */
    Mono<Void> respondIfUnreadable(Mono<Void> handled, Connection connection) {
        if (connection instanceof HttpServerRequest request && connection instanceof HttpServerResponse response) {
            String fault = RequestHead.fault(request);
            if (fault != null) {
                return Mono.defer(() -> respond(request, response, fault));
            }
        }
        return handled.then(Mono.defer(() -> respondIfNoHandlerDid(connection)));
    }

    /** A response without a request id comes from no handler: it is set before any handler runs. */
    private Mono<Void> respondIfNoHandlerDid(Connection connection) {
        if (connection instanceof HttpServerRequest request
                && connection instanceof HttpServerResponse response
                && !response.hasSentHeaders()
                && !response.responseHeaders().contains(RequestId.HEADER)) {
            return respond(request, response, "The request target is not a valid URI: percent-encode it");
        }
        return Mono.empty();
    }

    private Mono<Void> respond(HttpServerRequest request, HttpServerResponse response, String detail) {
        return problems.send(Problem.of(ProblemCode.MALFORMED_REQUEST, detail), request, response);
    }
}
