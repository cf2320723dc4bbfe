package dev.ligeiro.gateway;

import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** What the gateway's packages share. */
@Configuration(proxyBeanMethods = false)
class GatewayConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** The event loops of this gateway alone: those of the whole JVM would end with the first context that closes. */
    @Bean
    ReactorResourceFactory reactorResourceFactory() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setLoopResourcesSupplier(() -> LoopResources.create("gateway"));
        // when they end, all that used them has ended: nothing is left to wait for
        resources.setShutdownQuietPeriod(Duration.ZERO);
        return resources;
    }

    @Bean
    TransactionView transactionView(GatewayProperties properties, @Value("${server.port:8080}") int port) {
        String publicUrl = properties.publicUrl() == null ? "http://localhost:" + port : properties.publicUrl();
        return new TransactionView(new Timestamps(properties.timeZone()), publicUrl);
    }
}
