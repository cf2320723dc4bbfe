package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.api.RouteTable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the admin API on the management port, beside Actuator. Its beans belong to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class AdminConfiguration {

    @Bean
    AdminToken adminToken(@Value("${ligeiro.admin-token:}") String token) {
        return new AdminToken(token);
    }

    @Bean
    RouterFunction<ServerResponse> adminApiRoutes(AdminToken token, AdministerMerchants merchants) {
        return RouteTable.of(new AdminApi(token, merchants).routes());
    }
}
