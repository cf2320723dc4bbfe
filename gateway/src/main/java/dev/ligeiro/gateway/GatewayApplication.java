package dev.ligeiro.gateway;

import dev.ligeiro.bundle.BundleWriter;
import dev.ligeiro.bundle.SigningKeys;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.support.BundleKeysConfiguration;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.SecretKeysConfiguration;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import dev.ligeiro.support.mongo.MongoClientConfiguration;
import dev.ligeiro.support.observe.BuildInfo;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import dev.ligeiro.view.WebhookPayload;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** The gateway service, and beans that several packages use. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(RailProperties.class)
@ConfigurationPropertiesScan
@Import({
    MongoClientConfiguration.class,
    BuildInfo.class,
    KafkaProducerConfiguration.class,
    CommittedOffsets.class,
    PayloadLocationStore.class,
    SecretKeysConfiguration.class,
    BundleKeysConfiguration.class,
    Traces.class
})
public class GatewayApplication {

    public static void main(String[] args) {
        SpringApplication.run(GatewayApplication.class, args);
    }

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

    /** Without its own address the gateway would send a payer of real money to the host that a request names, or to localhost. */
    @Bean
    ViewSettings viewSettings(
            GatewayProperties properties, RailProperties rails, @Value("${server.port:8080}") int port) {
        if (properties.publicUrl() == null && !rails.routes().isEmpty()) {
            throw new IllegalStateException(
                    "ligeiro.public-url: not set (expected: the address at which payers reach the gateway,"
                            + " because ligeiro.rails.routes opens live mode)");
        }
        String publicUrl = properties.publicUrl() == null ? "http://localhost:" + port : properties.publicUrl();
        return new ViewSettings(properties.timeZone(), publicUrl);
    }

    @Bean
    TransactionView transactionView(ViewSettings settings) {
        return settings.view();
    }

    @Bean
    Timestamps timestamps(GatewayProperties properties) {
        return new Timestamps(properties.timeZone());
    }

    @Bean
    BundleWriter bundleWriter(SigningKeys keys, ViewSettings settings) {
        return new BundleWriter(keys, settings.timeZone(), settings.publicUrl());
    }

    @Bean
    WebhookPayload webhookPayload(TransactionView view) {
        return new WebhookPayload(view);
    }
}
