package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the dead letters on the management port. Its beans belong to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class DeadLetterConfiguration {

    @Bean
    RouterFunction<ServerResponse> deadLetterRoutes(
            AdminRoutes routes, ListDeadLetters list, RedriveDeadLetters redrive) {
        return RouteTable.of(new DeadLetterApi(routes, list, redrive).routes());
    }
}
