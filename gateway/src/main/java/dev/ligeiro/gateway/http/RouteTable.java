package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.metrics.ObserveRequests;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import reactor.core.publisher.Mono;

/**
 * The public port's only handler: the routes of all features and the problem handler, without Spring's dispatcher. The routes are not
 * beans of the type {@code RouterFunction}, because the management port would serve such beans too.
 */
@Configuration(proxyBeanMethods = false)
public class RouteTable {

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
        HttpHandler handler = observe.around(handler(routes, problems));
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

    /**
     * Tries the routes in the given order. A path with other methods than the request's is a 405 that names them; an unknown path is
     * a 404.
     */
    public static RouterFunction<ServerResponse> of(List<Route> routes) {
        RouterFunctions.Builder router = RouterFunctions.route();
        Map<String, Set<HttpMethod>> methodsByPath = new LinkedHashMap<>();
        for (Route route : routes) {
            router.route(hasMethod(route.method()).and(RequestPredicates.path(route.path())), route.handler());
            methodsByPath
                    .computeIfAbsent(route.path(), path -> new LinkedHashSet<>())
                    .add(route.method());
        }
        methodsByPath.forEach((path, methods) -> router.add(onlyAllows(path, methods)));
        return router.build();
    }

    /** Responds by the routes, and to failures by {@code problems}, without Spring's dispatcher. */
    public static HttpHandler handler(List<Route> routes, ProblemHandler problems) {
        // empty(): the default strategies have error handlers of their own, which run before the problem handler
        HandlerStrategies strategies = HandlerStrategies.empty()
                .codecs(codecs -> codecs.registerDefaults(true))
                .exceptionHandler(problems)
                .build();
        return RouterFunctions.toHttpHandler(of(routes), strategies);
    }

    /** For Spring's own predicate, a CORS preflight has the method that it asks about. */
    private static RequestPredicate hasMethod(HttpMethod method) {
        return request -> request.method().equals(method);
    }

    /** Fails instead of giving a handler: Spring would answer a CORS preflight to a path that has one with an empty 403. */
    private static RouterFunction<ServerResponse> onlyAllows(String path, Set<HttpMethod> methods) {
        RequestPredicate hasPath = RequestPredicates.path(path);
        return request -> hasPath.test(request)
                ? Mono.error(new MethodNotAllowedException(request.method(), methods))
                : Mono.empty();
    }
}
