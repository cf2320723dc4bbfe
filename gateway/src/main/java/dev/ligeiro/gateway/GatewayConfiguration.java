package dev.ligeiro.gateway;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.TransactionView;
import dev.ligeiro.view.WebhookPayload;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** Beans that several packages use. */
@Configuration(proxyBeanMethods = false)
class GatewayConfiguration {

    /** Event loops of this application context: Reactor's global ones would stop when the first of several contexts closes. */
    @Bean
    ReactorResourceFactory reactorResourceFactory() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setLoopResourcesSupplier(() -> LoopResources.create("gateway"));
        // the HTTP server and the MongoDB client have closed before the loops stop
        resources.setShutdownQuietPeriod(Duration.ZERO);
        return resources;
    }

    @Bean
    ViewSettings viewSettings(GatewayProperties properties, @Value("${server.port:8080}") int port) {
        String publicUrl = properties.publicUrl() == null ? "http://localhost:" + port : properties.publicUrl();
        return new ViewSettings(properties.timeZone(), publicUrl);
    }

    @Bean
    TransactionView transactionView(ViewSettings settings) {
        return settings.view();
    }

    @Bean
    WebhookPayload webhookPayload(TransactionView view) {
        return new WebhookPayload(view);
    }
}
