package dev.ligeiro.gateway.http;

import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Authenticates and authorises the requests of a route, and limits their rate.
 *
 * @param <C> the caller that the route's handler receives
 */
@FunctionalInterface
public interface Access<C> {

    /** The caller of the request. Fails with a problem 401 when the caller is unknown, 403 when the route is not open to it, 429 at its limit. */
    Mono<C> caller(ServerRequest request);
}
