package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.problem.ProblemHandler;
import dev.ligeiro.gateway.problem.RequestId;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The public port's one handler: routes and problems, without the dispatcher that annotated controllers need. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {

    @Bean
    HttpHandler httpHandler(List<Routes> features, ProblemHandler problems, RequestId requestId) {
        RouterFunction<ServerResponse> all = features.stream()
                .map(Routes::routes)
                .reduce(RouterFunction::and)
                .orElseThrow();
        // empty: the default ones answer errors on their own, before problems
        HandlerStrategies strategies = HandlerStrategies.empty()
                .codecs(codecs -> codecs.registerDefaults(true))
                .exceptionHandler(problems)
                .build();
        return requestId.apply(RouterFunctions.toHttpHandler(all, strategies));
    }
}
