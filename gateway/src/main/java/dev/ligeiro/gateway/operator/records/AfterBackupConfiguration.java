package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the list on the management port. Its bean belongs to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class AfterBackupConfiguration {

    @Bean
    RouterFunction<ServerResponse> afterBackupRoutes(AdminRoutes routes, ListAfterBackup list) {
        return RouteTable.of(new AfterBackupApi(routes, list).routes());
    }
}
