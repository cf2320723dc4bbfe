package dev.ligeiro.gateway;

import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import java.time.Clock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the gateway's packages share. */
@Configuration(proxyBeanMethods = false)
class GatewayConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    TransactionView transactionView(GatewayProperties properties, @Value("${server.port:8080}") int port) {
        String publicUrl = properties.publicUrl() == null ? "http://localhost:" + port : properties.publicUrl();
        return new TransactionView(new Timestamps(properties.timeZone()), publicUrl);
    }
}
