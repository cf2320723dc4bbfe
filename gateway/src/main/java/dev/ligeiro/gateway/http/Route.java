package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.metrics.ObserveRequests;
import dev.ligeiro.gateway.http.metrics.ObserveRequests.ObservedRoute;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.JsonBody;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

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

    /** A time limit of Reactor's own would look for the names of operators at each request, for its message. */
    private static final Mono<ServerResponse> LATE = Mono.error(TimeoutException::new);

    /** From a range of all types over those such as {@code text/*} to one type; the last one decides (RFC 9110 §12.5.1). */
    private static final Comparator<MediaType> MOST_SPECIFIC = Comparator.comparing(MediaType::isWildcardType)
            .thenComparing(MediaType::isWildcardSubtype)
            .reversed();

    private final HttpMethod method;
    private final String path;
    private final HandlerFunction<ServerResponse> handler;
    private final boolean isPage;

    private Route(HttpMethod method, String path, HandlerFunction<ServerResponse> handler, boolean isPage) {
        this.method = method;
        this.path = path;
        this.handler = handler;
        this.isPage = isPage;
    }

    /** What a {@code POST} or {@code PATCH} has as its body. */
    public enum Body {
        /** Nothing, or a JSON object without fields. */
        EMPTY,
        /** Nothing, or a JSON object. */
        OPTIONAL,
        /** A JSON object. */
        REQUIRED
    }

    public static <C> Route get(String path, Access<C> access, Handler<C> handler) {
        return withoutBody(HttpMethod.GET, path, access, TIMEOUT, handler);
    }

    public static <C> Route get(String path, Access<C> access, Duration timeout, Handler<C> handler) {
        return withoutBody(HttpMethod.GET, path, access, timeout, handler);
    }

    public static <C> Route delete(String path, Access<C> access, Handler<C> handler) {
        return withoutBody(HttpMethod.DELETE, path, access, TIMEOUT, handler);
    }

    private static <C> Route withoutBody(
            HttpMethod method, String path, Access<C> access, Duration timeout, Handler<C> handler) {
        return admitted(method, path, access, MediaType.APPLICATION_JSON, (request, caller) -> handler.handle(
                        Request.withoutBody(request, caller))
                .timeout(timeout, LATE));
    }

    public static <C extends Sender> Route of(
            HttpMethod method, String path, Access<C> access, Body body, Handler<C> handler) {
        return withBody(method, path, access, body, TIMEOUT, null, handler);
    }

    /** A {@code POST} that may have an {@code Idempotency-Key}. */
    public static <C extends Sender> Route idempotent(
            String path, Access<C> access, Body body, Duration timeout, UnknownOutcome unknown, Handler<C> handler) {
        return withBody(HttpMethod.POST, path, access, body, timeout, unknown, handler);
    }

    private static <C extends Sender> Route withBody(
            HttpMethod method,
            String path,
            Access<C> access,
            Body body,
            Duration timeout,
            @Nullable UnknownOutcome unknown,
            Handler<C> handler) {
        return admitted(method, path, access, MediaType.APPLICATION_JSON, (http, caller) -> (body == Body.REQUIRED
                        ? JsonBody.read(http, caller)
                        : JsonBody.readIfPresent(http, caller))
                .flatMap(json -> {
                    Fields fields = new Fields(json);
                    if (body == Body.EMPTY) {
                        fields.orThrow();
                    }
                    String key = unknown == null ? null : Request.key(http, fields);
                    Mono<ServerResponse> response = handler.handle(new Request<>(http, caller, fields, key))
                            .timeout(timeout, LATE);
                    return unknown == null
                            ? response
                            : response.onErrorMap(Problems::isUnavailable, failure -> unknown.problem(key, failure));
                }));
    }

    /** A {@code GET} of a page or document that is open to everyone: neither authentication nor {@code Accept} is checked. */
    public static Route page(String path, HandlerFunction<ServerResponse> handler) {
        return page(path, handler, (request, failure) -> Mono.error(failure));
    }

    /**
     * A page whose failures have a page too, an exceeded time limit included.
     *
     * @param failed fails with the failure itself where a problem is the right response
     */
    public static Route page(
            String path,
            HandlerFunction<ServerResponse> handler,
            BiFunction<ServerRequest, Throwable, Mono<ServerResponse>> failed) {
        HandlerFunction<ServerResponse> page = request ->
                handler.handle(request).timeout(TIMEOUT).onErrorResume(failure -> failed.apply(request, failure));
        return new Route(HttpMethod.GET, path, page, true);
    }

    /**
     * A {@code GET} of server-sent events that is open to everyone. The time limit is for the start of the response, and there the
     * request counts as ended; the stream itself goes on until the handler ends it or the client leaves.
     */
    public static Route stream(String path, HandlerFunction<ServerResponse> handler) {
        HandlerFunction<ServerResponse> started = request -> handler.handle(request)
                .timeout(TIMEOUT)
                .doOnNext(response -> ObservedRequest.endBeforeStream(request, response.statusCode()));
        return new Route(HttpMethod.GET, path, started, false);
    }

    /**
     * A {@code GET} of a response in another media type than JSON that can take hours. The handler has to bound the time until the
     * response starts.
     */
    public static <C> Route download(String path, Access<C> access, MediaType type, Handler<C> handler) {
        return admitted(
                HttpMethod.GET,
                path,
                access,
                type,
                (request, caller) -> handler.handle(Request.withoutBody(request, caller)));
    }

    /** {@code next} runs if the request has a caller and accepts a response of the type. */
    private static <C> Route admitted(
            HttpMethod method,
            String path,
            Access<C> access,
            MediaType type,
            BiFunction<ServerRequest, C, Mono<ServerResponse>> next) {
        HandlerFunction<ServerResponse> admitting =
                request -> access.caller(request).flatMap(caller -> {
                    requireAccepts(type, request);
                    return next.apply(request, caller);
                });
        return new Route(method, path, admitting, false);
    }

    /** The route, and for a page {@code HEAD} too (RFC 9110 §9.3.2): Spring drops the content of its responses. */
    Stream<Route> withHead() {
        return isPage ? Stream.of(this, new Route(HttpMethod.HEAD, path, handler, false)) : Stream.of(this);
    }

    /** The same route, with timers of its own. */
    Route observedBy(ObserveRequests observe) {
        ObservedRoute observed = observe.route(method.name(), path);
        HandlerFunction<ServerResponse> noted = request -> {
            observed.matched(request);
            return handler.handle(request);
        };
        return new Route(method, path, noted, isPage);
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

        Mono<ServerResponse> handle(Request<C> request);
    }

    /**
     * The problem of a request whose outcome is unknown, because MongoDB did not answer in time.
     *
     * @param effect what the request may have done, such as {@code The transaction may have been stored}
     * @param check where the client finds out, such as {@code list your transactions by reference}
     */
    public record UnknownOutcome(String effect, String check) {

        private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

        Problem problem(@Nullable String key, Throwable cause) {
            String advice = key == null
                    ? ". Before you repeat the request, " + check
                            + "; a request with an Idempotency-Key can be repeated safely"
                    : ". Repeat the request with the same Idempotency-Key";
            return Problem.unavailable(effect + advice, RETRY_AFTER, cause);
        }
    }

    /**
     * Authenticates and authorises the requests of a route, and limits their rate.
     *
     * @param <C> the caller that the route's handler receives
     */
    @FunctionalInterface
    public interface Access<C> {

        /**
         * The caller of the request. Fails with a problem 401 when the caller is unknown, 403 when the route is not open to it, 429 at its
         * limit.
         */
        Mono<C> caller(ServerRequest request);
    }
}
