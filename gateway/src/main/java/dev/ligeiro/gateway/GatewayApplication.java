package dev.ligeiro.gateway;

import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.SecretKeysConfiguration;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import dev.ligeiro.support.mongo.MongoClientConfiguration;
import dev.ligeiro.support.observe.BuildInfo;
import dev.ligeiro.support.observe.Traces;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/** The gateway service. */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({
    MongoClientConfiguration.class,
    BuildInfo.class,
    KafkaProducerConfiguration.class,
    CommittedOffsets.class,
    PayloadLocationStore.class,
    SecretKeysConfiguration.class,
    Traces.class
})
public class GatewayApplication {

    public static void main(String[] args) {
        SpringApplication.run(GatewayApplication.class, args);
    }
}
