package dev.ligeiro.gateway.http;

import java.util.function.Supplier;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Authenticates and authorises the requests of a route, and limits their rate; some also limit how many run at once.
 *
 * @param <C> the caller that the route's handler receives
 */
@FunctionalInterface
public interface Access<C> {

    /** The caller of the request. Fails with a problem 401 when the caller is unknown, 403 when the route is not open to it, 429 at its limit. */
    Mono<C> caller(ServerRequest request);

    /**
     * Runs the handler of an admitted request, by default at once. An access may let it wait while too many others run, and then fail with a
     * problem 429 or 503.
     */
    default Mono<ServerResponse> run(C caller, Supplier<Mono<ServerResponse>> handler) {
        return handler.get();
    }
}
