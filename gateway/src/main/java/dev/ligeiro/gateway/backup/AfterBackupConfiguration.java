package dev.ligeiro.gateway.backup;

import dev.ligeiro.gateway.admin.AdminRoutes;
import dev.ligeiro.gateway.api.RouteTable;
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
