package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.observe.HttpMetrics;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.gateway.problem.ProblemJson;
import dev.ligeiro.gateway.problem.RequestId;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Sends a problem for a request whose head has a {@link RequestHead} fault, or whose target is not a valid URI, such as
 * {@code ?reference=a|b}. Spring ends the latter with an empty 400 before any handler runs.
 */
@Component
class UnreadableTarget implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private final HttpMetrics metrics;

    UnreadableTarget(HttpMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.mapHandle(this::respondIfUnreadable));
    }

    /** @param handled the handling of the request, which begins with the subscription */
    private Mono<Void> respondIfUnreadable(Mono<Void> handled, Connection connection) {
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
        metrics.unreadable();
        Problem problem = Problem.of(ProblemCode.MALFORMED_REQUEST, detail);
        String requestId = RequestId.validOrNew(request.requestHeaders().get(RequestId.HEADER));
        byte[] body = ProblemJson.of(problem, withoutQuery(request.uri()), requestId);
        return response.status(problem.code().status().value())
                .header(RequestId.HEADER, requestId)
                .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .header(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length))
                .sendByteArray(Mono.just(body))
                .then();
    }

    static String withoutQuery(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
