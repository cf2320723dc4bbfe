package dev.ligeiro.dispatcher;

import dev.ligeiro.support.SecretKeysConfiguration;
import dev.ligeiro.support.kafka.KafkaConsumerConfiguration;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import dev.ligeiro.support.mongo.MongoClientConfiguration;
import dev.ligeiro.support.mongo.MongoEventLoopConfiguration;
import dev.ligeiro.support.observe.TracesConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/** The webhook-dispatcher service. */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({
    MongoClientConfiguration.class,
    MongoEventLoopConfiguration.class,
    KafkaProducerConfiguration.class,
    KafkaConsumerConfiguration.class,
    SecretKeysConfiguration.class,
    TracesConfiguration.class
})
public class WebhookDispatcherApplication {

    public static void main(String[] args) {
        SpringApplication.run(WebhookDispatcherApplication.class, args);
    }
}
