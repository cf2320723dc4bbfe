package dev.ligeiro.gateway.api;

import dev.ligeiro.gateway.observe.ObserveRequests;
import dev.ligeiro.gateway.problem.ProblemHandler;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunctions;

/**
 * The public port's only handler: the routes of all features and the problem handler, without Spring's dispatcher. The routes are not
 * beans of the type {@code RouterFunction}, because the management port would serve such beans too.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

    @Bean
    HttpHandler httpHandler(List<Routes> features, ProblemHandler problems, ObserveRequests observe) {
        List<Route> routes = features.stream()
                .flatMap(feature -> feature.routes().stream())
                .map(route -> route.observedBy(observe))
                .toList();
        return observe.around(handler(routes, problems));
    }

    static HttpHandler handler(List<Route> routes, ProblemHandler problems) {
        // empty(): the default strategies have error handlers of their own, which run before the problem handler
        HandlerStrategies strategies = HandlerStrategies.empty()
                .codecs(codecs -> codecs.registerDefaults(true))
                .exceptionHandler(problems)
                .build();
        return RouterFunctions.toHttpHandler(RouteTable.of(routes), strategies);
    }
}
