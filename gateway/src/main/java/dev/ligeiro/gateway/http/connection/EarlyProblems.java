package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.http.metrics.HttpMetrics;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemJson;
import dev.ligeiro.gateway.http.problem.RequestId;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Writes the problems of requests that are refused before any route is looked for, and counts them. */
@Component
class EarlyProblems {

    private final HttpMetrics metrics;

    EarlyProblems(HttpMetrics metrics) {
        this.metrics = metrics;
    }

    /** As the response to a request whose head the server has read. */
    Mono<Void> send(Problem problem, HttpServerRequest request, HttpServerResponse response) {
        metrics.unreadable();
        String requestId = requestId(request);
        byte[] body = ProblemJson.of(problem, path(request), requestId);
        return response.status(problem.code().status().value())
                .header(RequestId.HEADER, requestId)
                .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .header(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length))
                .sendByteArray(Mono.just(body))
                .then();
    }

    /**
     * In place of an empty response with the same status, whose other headers stay.
     *
     * @param request null if the server has not read its head
     */
    FullHttpResponse replace(FullHttpResponse empty, Problem problem, @Nullable HttpServerRequest request) {
        metrics.unreadable();
        String requestId = requestId(request);
        byte[] body = ProblemJson.of(problem, path(request), requestId);
        empty.headers()
                .set(RequestId.HEADER, requestId)
                .set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .setInt(HttpHeaders.CONTENT_LENGTH, body.length);
        FullHttpResponse response = empty.replace(Unpooled.wrappedBuffer(body));
        empty.release();
        return response;
    }

    private static String requestId(@Nullable HttpServerRequest request) {
        return RequestId.validOrNew(
                request == null ? null : request.requestHeaders().get(RequestId.HEADER));
    }

    /** Without the query. {@code /bad-request} is Netty's target of a request line that it could not read. */
    private static String path(@Nullable HttpServerRequest request) {
        if (request == null || !request.uri().startsWith("/") || request.uri().equals("/bad-request")) {
            return "/";
        }
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }
}
