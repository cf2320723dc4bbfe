package dev.ligeiro.gateway.http;

import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The routes of one feature on the public port. Not a {@code RouterFunction} bean: those the management port would serve too.
 * Their order is that of {@code @Order}, the hottest first.
 */
public interface Routes {

    RouterFunction<ServerResponse> routes();
}
