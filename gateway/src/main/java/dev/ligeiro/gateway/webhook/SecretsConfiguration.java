package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.admin.AdminToken;
import dev.ligeiro.gateway.api.RouteTable;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the operator's command for webhook secrets on the management port. Its beans belong to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class SecretsConfiguration {

    @Bean
    RouterFunction<ServerResponse> webhookSecretsRoutes(AdminToken token, EncryptAgain encryptAgain) {
        return RouteTable.of(new SecretsApi(token, encryptAgain).routes());
    }
}
