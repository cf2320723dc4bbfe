package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.RouteTable;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the admin API on the management port, beside Actuator. Its beans belong to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class AdminConfiguration {

    @Bean
    AdminRoutes adminRoutes(@Value("${ligeiro.admin-token:}") String token, AdminProperties properties, Audit audit) {
        return new AdminRoutes(new AdminToken(token, properties.tokens()), audit);
    }

    @Bean
    RouterFunction<ServerResponse> adminApiRoutes(
            AdminRoutes routes, AdministerMerchants merchants, AdministerKeys keys, AuditStore audit, Clock clock) {
        List<Route> all = Stream.of(
                        new MerchantApi(routes, merchants).routes(),
                        new PlatformApi(routes, merchants).routes(),
                        new KeyApi(routes, keys, clock).routes(),
                        new AuditApi(routes, audit).routes())
                .flatMap(List::stream)
                .toList();
        return RouteTable.of(all);
    }
}
