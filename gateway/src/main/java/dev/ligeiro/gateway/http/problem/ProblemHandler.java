package dev.ligeiro.gateway.http.problem;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webflux.error.ErrorWebExceptionHandler;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** Sends {@code application/problem+json} (RFC 9457) for every failed request, even if its {@code Accept} excludes it. */
@Component
@Order(-2)
public final class ProblemHandler implements ErrorWebExceptionHandler {

    /** The status of a request whose client or server has closed the connection, for metrics: nobody receives it. */
    public static final HttpStatusCode CLIENT_CLOSED = HttpStatusCode.valueOf(499);

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(failure);
        }
        if (isAnsweredByServer(response)) {
            // a second response would be a failure, logged with its stack trace
            response.setStatusCode(CLIENT_CLOSED);
            return Mono.empty();
        }
        Problem problem = Problems.of(failure);
        if (problem.code() == ProblemCode.INTERNAL_ERROR && isClientDisconnect(failure)) {
            response.setStatusCode(CLIENT_CLOSED);
            return response.setComplete();
        }
        response.setStatusCode(problem.code().status());
        String requestId = RequestId.of(response);
        log(problem, requestId, failure);
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        response.getHeaders().setCacheControl(CacheControl.noStore());
        problem.headers().forEach(response.getHeaders()::set);
        byte[] body = problem.json(exchange.getRequest().getPath().value(), requestId);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    /**
     * Whether the server itself has refused the request and is closing the connection, because the body's framing is broken. The first
     * condition excludes mocks, which throw when they are asked for a native response.
     */
    private static boolean isAnsweredByServer(ServerHttpResponse response) {
        return response instanceof ZeroCopyHttpOutputMessage
                && response instanceof AbstractServerHttpResponse wrapper
                && wrapper.getNativeResponse() instanceof HttpServerResponse server
                && server.hasSentHeaders();
    }

    /**
     * Whether the client closed the connection. Spring recognises this by the exception's message, and a reset MongoDB connection has the
     * same message. So this is checked only for exceptions that are not in the table of {@link Problems}, and the response never has a
     * success status.
     */
    private static boolean isClientDisconnect(Throwable failure) {
        return DisconnectedClientHelper.isClientDisconnectedException(failure);
    }

    private static Throwable cause(Problem problem) {
        return problem.getCause() == null ? problem : problem.getCause();
    }

    private static void log(Problem problem, String requestId, Throwable failure) {
        if (problem.code() == ProblemCode.INTERNAL_ERROR) {
            LOG.atError()
                    .setCause(failure)
                    .addKeyValue("event.action", "request_failed")
                    .addKeyValue("request_id", requestId)
                    .log("A request failed because of a bug");
        } else if (problem.code() == ProblemCode.UNAVAILABLE) {
            LOG.atWarn()
                    .addKeyValue("event.action", "request_unavailable")
                    .addKeyValue("request_id", requestId)
                    .addKeyValue("cause", cause(problem).getClass().getSimpleName())
                    .log("A request was answered 503");
        }
    }
}
