package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.RouteTable;
import java.util.List;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the admin API on the management port, beside Actuator. Its bean belongs to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class AdminConfiguration {

    @Bean
    RouterFunction<ServerResponse> adminApiRoutes(List<ManagementRoutes> features) {
        return RouteTable.of(
                features.stream().flatMap(feature -> feature.routes().stream()).toList());
    }
}
