package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.metrics.ObserveRequests;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import reactor.core.publisher.Mono;

/**
 * The public port's only handler: the routes of all features and the problem handler, without Spring's dispatcher. The routes are not
 * beans of the type {@code RouterFunction}, because the management port would serve such beans too.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

    /** @param forwarded present only with {@code server.forward-headers-strategy=framework} */
    @Bean
    HttpHandler httpHandler(
            List<Routes> features,
            ProblemHandler problems,
            ObserveRequests observe,
            ObjectProvider<ForwardedHeaderTransformer> forwarded) {
        List<Route> routes = features.stream()
                .flatMap(feature -> feature.routes().stream())
                .flatMap(Route::withHead)
                .map(route -> route.observedBy(observe))
                .toList();
        HttpHandler handler = observe.around(RouteTable.handler(routes, problems));
        ForwardedHeaderTransformer transformer = forwarded.getIfAvailable();
        return transformer == null ? handler : withForwardedHeaders(handler, transformer);
    }

    /** The observation sees the request with the forwarded address. {@code EarlyProblems} responds to headers that cannot be read. */
    private static HttpHandler withForwardedHeaders(HttpHandler handler, ForwardedHeaderTransformer transformer) {
        return (request, response) -> {
            ServerHttpRequest forwarded;
            try {
                forwarded = transformer.apply(request);
            } catch (RuntimeException unreadable) {
                return Mono.empty();
            }
            return handler.handle(forwarded, response);
        };
    }
}
