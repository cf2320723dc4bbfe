package dev.ligeiro.support.kafka;

import java.time.Duration;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.support.ProducerListener;

/** Producer settings for which Spring Boot has no property. */
@Configuration(proxyBeanMethods = false)
public class KafkaProducerConfiguration {

    /**
     * A stop while Kafka is unavailable does not wait for the default 30 s. Unsent records are sent again after the next start.
     */
    private static final Duration CLOSE_MAX = Duration.ofSeconds(3);

    @Bean
    DefaultKafkaProducerFactoryCustomizer closeSoon() {
        return factory -> factory.setPhysicalCloseTimeout(Math.toIntExact(CLOSE_MAX.toSeconds()));
    }

    /** Silent: Spring's default logs each failed record with its content, which is personal data. */
    @Bean
    ProducerListener<Object, Object> silentProducerListener() {
        return new ProducerListener<>() {};
    }
}
