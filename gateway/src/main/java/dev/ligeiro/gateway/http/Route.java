package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.metrics.ObserveRequests;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.gateway.http.metrics.ObservedRoute;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.JsonBody;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * One method of one path, and what runs for it. A request passes these checks in this order; the first one that fails decides the
 * response:
 *
 * <ol>
 *   <li>path: 404, method: 405 with {@code Allow} ({@link RouteTable})
 *   <li>for a create, overload: 503
 *   <li>authentication: 401, scope: 403, rate limit: 429 ({@link Access})
 *   <li>{@code Accept}: 406
 *   <li>body, on routes that have one: 415, 413, 429, 503, 400 ({@link JsonBody})
 *   <li>the handler, which checks {@code Idempotency-Key}, fields and state: 422, 404, 409; when it exceeds the time limit: 503
 * </ol>
 *
 * The time limit starts after the body has been read, so a client with a slow connection does not exceed it.
 */
public final class Route {

    /**
     * The default time limit of a handler: a request is answered within 3 seconds. The driver's own limit is not enough, since a
     * call may wait for a connection behind calls with more time.
     */
    public static final Duration TIMEOUT = Duration.ofMillis(2_600);

    /** From a range of all types over those such as {@code text/*} to one type; the last one decides (RFC 9110 §12.5.1). */
    private static final Comparator<MediaType> MOST_SPECIFIC = Comparator.comparing(MediaType::isWildcardType)
            .thenComparing(MediaType::isWildcardSubtype)
            .reversed();

    private final HttpMethod method;
    private final String path;
    private final HandlerFunction<ServerResponse> handler;
    private final boolean isPage;

    private Route(HttpMethod method, String path, HandlerFunction<ServerResponse> handler) {
        this(method, path, handler, false);
    }

    private Route(HttpMethod method, String path, HandlerFunction<ServerResponse> handler, boolean isPage) {
        this.method = method;
        this.path = path;
        this.handler = handler;
        this.isPage = isPage;
    }

    public static <C> Route get(String path, Access<C> access, Handler<C> handler) {
        return get(path, access, TIMEOUT, handler);
    }

    public static <C> Route get(String path, Access<C> access, Duration timeout, Handler<C> handler) {
        return withoutBody(HttpMethod.GET, path, access, timeout, handler);
    }

    public static <C> Route delete(String path, Access<C> access, Handler<C> handler) {
        return withoutBody(HttpMethod.DELETE, path, access, TIMEOUT, handler);
    }

    /** A {@code POST} without a body, or with an empty JSON object. */
    public static <C extends Sender> Route post(String path, Access<C> access, Handler<C> handler) {
        return postOptionalJson(path, access, (request, caller, body) -> {
            new Fields(body).orThrow();
            return handler.handle(request, caller);
        });
    }

    /** A {@code PATCH} with a JSON object as its body. */
    public static <C extends Sender> Route patchJson(String path, Access<C> access, JsonHandler<C> handler) {
        return withJson(HttpMethod.PATCH, path, access, JsonBody::read, handler);
    }

    /** A {@code POST} with a JSON object as its body. */
    public static <C extends Sender> Route postJson(String path, Access<C> access, JsonHandler<C> handler) {
        return withJson(HttpMethod.POST, path, access, JsonBody::read, handler);
    }

    /** A {@code POST} that may have a JSON object as its body. */
    public static <C extends Sender> Route postOptionalJson(String path, Access<C> access, JsonHandler<C> handler) {
        return withJson(HttpMethod.POST, path, access, JsonBody::readIfPresent, handler);
    }

    /** A {@code POST} with a JSON object as its body. It may have an {@code Idempotency-Key}. */
    public static <C extends Sender> Route postJsonIdempotent(
            String path, Access<C> access, Duration timeout, UnknownOutcome unknown, IdempotentHandler<C> handler) {
        Handler<C> next = (request, caller) -> JsonBody.read(request, caller)
                .flatMap(body -> idempotent(request, caller, new Fields(body), timeout, unknown, handler));
        return admitted(HttpMethod.POST, path, access, MediaType.APPLICATION_JSON, next);
    }

    /** A {@code POST} that may have a JSON object as its body. It may have an {@code Idempotency-Key}. */
    public static <C extends Sender> Route postOptionalJsonIdempotent(
            String path, Access<C> access, Duration timeout, UnknownOutcome unknown, IdempotentHandler<C> handler) {
        Handler<C> next = (request, caller) -> JsonBody.readIfPresent(request, caller)
                .flatMap(body -> idempotent(request, caller, new Fields(body), timeout, unknown, handler));
        return admitted(HttpMethod.POST, path, access, MediaType.APPLICATION_JSON, next);
    }

    /** A {@code GET} of a page or document that is open to everyone: neither authentication nor {@code Accept} is checked. */
    public static Route page(String path, HandlerFunction<ServerResponse> handler) {
        return page(path, handler, (request, failure) -> Mono.error(failure));
    }

    /** A page whose failures have a page too, an exceeded time limit included. */
    public static Route page(String path, HandlerFunction<ServerResponse> handler, FailureHandler failed) {
        HandlerFunction<ServerResponse> page = request ->
                handler.handle(request).timeout(TIMEOUT).onErrorResume(failure -> failed.handle(request, failure));
        return new Route(HttpMethod.GET, path, page, true);
    }

    /**
     * A {@code GET} of server-sent events that is open to everyone. The time limit is for the start of the response, and there the
     * request counts as ended; the stream itself goes on until the handler ends it or the client leaves.
     */
    public static Route stream(String path, HandlerFunction<ServerResponse> handler) {
        return new Route(HttpMethod.GET, path, request -> handler.handle(request)
                .timeout(TIMEOUT)
                .doOnNext(response -> ObservedRequest.endBeforeStream(request, response.statusCode())));
    }

    /**
     * A {@code GET} of a response in another media type than JSON that can take hours. The handler has to bound the time until the
     * response starts.
     */
    public static <C> Route download(String path, Access<C> access, MediaType type, Handler<C> handler) {
        return admitted(HttpMethod.GET, path, access, type, handler);
    }

    /** The route, and for a page {@code HEAD} too (RFC 9110 §9.3.2): Spring drops the content of its responses. */
    Stream<Route> withHead() {
        return isPage ? Stream.of(this, new Route(HttpMethod.HEAD, path, handler)) : Stream.of(this);
    }

    /** The same route, with timers of its own. */
    Route observedBy(ObserveRequests observe) {
        ObservedRoute observed = observe.route(method.name(), path);
        return new Route(method, path, request -> {
            observed.matched(request);
            return handler.handle(request);
        });
    }

    public HttpMethod method() {
        return method;
    }

    public String path() {
        return path;
    }

    HandlerFunction<ServerResponse> handler() {
        return handler;
    }

    /**
     * The parsed variable of the request's path.
     *
     * @throws Problem {@code notFound} if {@code parse} throws an {@link IllegalArgumentException}
     */
    public static <T> T variable(
            ServerRequest request, String name, Function<String, T> parse, Supplier<Problem> notFound) {
        try {
            return parse.apply(request.pathVariable(name));
        } catch (IllegalArgumentException malformed) {
            throw notFound.get();
        }
    }

    private static <C> Route withoutBody(
            HttpMethod method, String path, Access<C> access, Duration timeout, Handler<C> handler) {
        Handler<C> next = (request, caller) ->
                access.run(caller, () -> handler.handle(request, caller)).timeout(timeout);
        return admitted(method, path, access, MediaType.APPLICATION_JSON, next);
    }

    private static <C extends Sender> Route withJson(
            HttpMethod method,
            String path,
            Access<C> access,
            BiFunction<ServerRequest, Sender, Mono<ObjectNode>> read,
            JsonHandler<C> handler) {
        Handler<C> next = (request, caller) -> read.apply(request, caller)
                .flatMap(body -> access.run(caller, () -> handler.handle(request, caller, body))
                        .timeout(TIMEOUT));
        return admitted(method, path, access, MediaType.APPLICATION_JSON, next);
    }

    /** {@code next} runs if the request has a caller and accepts a response of the type. */
    private static <C> Route admitted(
            HttpMethod method, String path, Access<C> access, MediaType type, Handler<C> next) {
        return new Route(method, path, request -> access.caller(request).flatMap(caller -> {
            requireAccepts(type, request);
            return next.handle(request, caller);
        }));
    }

    private static <C> Mono<ServerResponse> idempotent(
            ServerRequest request,
            C caller,
            Fields fields,
            Duration timeout,
            UnknownOutcome unknown,
            IdempotentHandler<C> handler) {
        IdempotentRequest<C> idempotent = IdempotentRequest.of(request, caller, fields);
        return handler.handle(idempotent)
                .timeout(timeout)
                .onErrorMap(Problems::isUnavailable, failure -> unknown.problem(idempotent.key(), failure));
    }

    private static void requireAccepts(MediaType type, ServerRequest request) {
        String accept = request.headers().firstHeader(HttpHeaders.ACCEPT);
        if (accept == null || accept.equals(MediaType.ALL_VALUE) || accept.equals(type.toString())) {
            return;
        }
        try {
            boolean accepted = request.headers().accept().stream()
                    .filter(type::isCompatibleWith)
                    .max(MOST_SPECIFIC)
                    .filter(range -> range.getQualityValue() > 0)
                    .isPresent();
            if (accepted) {
                return;
            }
        } catch (InvalidMediaTypeException malformed) {
            // a malformed Accept header accepts nothing
        }
        throw Problem.of(ProblemCode.NOT_ACCEPTABLE, "Send Accept: " + type);
    }

    /** Handles a request of an authenticated caller. */
    @FunctionalInterface
    public interface Handler<C> {

        Mono<ServerResponse> handle(ServerRequest request, C caller);
    }

    /** Handles a request of an authenticated caller, with the JSON object of its body. */
    @FunctionalInterface
    public interface JsonHandler<C> {

        Mono<ServerResponse> handle(ServerRequest request, C caller, ObjectNode body);
    }

    /** Shows the reader of a page that it failed; fails with {@code failure} itself where a problem is the right response. */
    @FunctionalInterface
    public interface FailureHandler {

        Mono<ServerResponse> handle(ServerRequest request, Throwable failure);
    }

    /** Handles a request of an authenticated caller, which may have an {@code Idempotency-Key}. */
    @FunctionalInterface
    public interface IdempotentHandler<C> {

        Mono<ServerResponse> handle(IdempotentRequest<C> request);
    }
}
