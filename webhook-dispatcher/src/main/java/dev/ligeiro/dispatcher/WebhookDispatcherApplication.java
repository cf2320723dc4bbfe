package dev.ligeiro.dispatcher;

import dev.ligeiro.dispatcher.attempt.ViewProperties;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.SecretKeysConfiguration;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.KafkaConsumerConfiguration;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import dev.ligeiro.support.mongo.MongoClientConfiguration;
import dev.ligeiro.support.observe.BuildInfo;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.support.work.BatchBytes;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The webhook-dispatcher service, with its topic and the limit of its batches. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
@Import({
    MongoClientConfiguration.class,
    BuildInfo.class,
    KafkaProducerConfiguration.class,
    KafkaConsumerConfiguration.class,
    SecretKeysConfiguration.class,
    Traces.class
})
public class WebhookDispatcherApplication {

    public static void main(String[] args) {
        SpringApplication.run(WebhookDispatcherApplication.class, args);
    }

    @Bean
    ViewSettings viewSettings(ViewProperties properties) {
        return properties.settings();
    }

    @Bean
    BatchBytes partBytes() {
        return new BatchBytes(DispatcherMemoryBudget.PART_BYTES_START, DispatcherMemoryBudget.PART_BYTES_MAX);
    }

    @Bean
    DeadLetters deadLetters(BatchSender sender, MeterRegistry meters) {
        return new DeadLetters(sender, meters, Topics.EVENTS, List.of());
    }
}
