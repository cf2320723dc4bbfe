package dev.ligeiro.gateway.operator.webhook;

import dev.ligeiro.gateway.api.webhook.WebhookProperties;
import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves what operators see and do about webhooks on the management port. Its beans belong to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class SecretsConfiguration {

    @Bean
    RouterFunction<ServerResponse> webhookSecretsRoutes(AdminRoutes routes, EncryptAgain encryptAgain) {
        return RouteTable.of(new SecretsApi(routes, encryptAgain).routes());
    }

    @Bean
    RouterFunction<ServerResponse> webhookNetworksRoutes(AdminRoutes routes, WebhookProperties properties) {
        return RouteTable.of(new NetworksApi(routes, properties.networks()).routes());
    }
}
