package dev.ligeiro.gateway.publish;

import java.time.Duration;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.support.ProducerListener;

/** What of the producer no property sets. */
@Configuration(proxyBeanMethods = false)
class ProducerConfiguration {

    /** A stop that finds Kafka away does not wait for the default 30 seconds: what is not out by then is the sweeper's. */
    private static final Duration CLOSE_MAX = Duration.ofSeconds(3);

    @Bean
    DefaultKafkaProducerFactoryCustomizer closeSoon() {
        return factory -> factory.setPhysicalCloseTimeout(Math.toIntExact(CLOSE_MAX.toSeconds()));
    }

    /** Silent: the default one logs an error per record, and {@link CommandPublisher} tells of an outage once. */
    @Bean
    ProducerListener<Object, Object> producerListener() {
        return new ProducerListener<>() {};
    }
}
