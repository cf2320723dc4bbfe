package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.RouteTable;
import java.util.List;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The beans of the management port, which have a context of their own, beside Actuator. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class AdminConfiguration {

    @Bean
    RouterFunction<ServerResponse> adminApiRoutes(List<ManagementRoutes> features) {
        return RouteTable.of(
                features.stream().flatMap(feature -> feature.routes().stream()).toList());
    }

    /** The event loops of the public port: this one has too few requests for threads of its own. */
    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> sharedLoops(ReactorResourceFactory resources) {
        return factory -> factory.setResourceFactory(resources);
    }
}
