package dev.ligeiro.support.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.ExponentialBackOff;

/** The set-up of a service's batch listener: retries, stop, health and dead letters. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IntakeProperties.class)
@Import({BatchSender.class, DeadLetters.class})
public class KafkaConsumerConfiguration {

    private static final long FIRST_DELAY_MILLIS = 500;
    private static final double DELAY_FACTOR = 2;

    /**
     * Retries a failed batch without limit. A record that can never be processed does not fail its batch; it becomes a dead
     * letter.
     */
    @Bean
    DefaultErrorHandler batchErrorHandler(IntakeProperties properties) {
        ExponentialBackOff delays = new ExponentialBackOff(FIRST_DELAY_MILLIS, DELAY_FACTOR);
        delays.setMaxInterval(properties.retryDelayMax().toMillis());
        DefaultErrorHandler handler = new DefaultErrorHandler(KafkaConsumerConfiguration::neverSkip, delays);
        // by default Spring does not retry some exceptions and skips their records
        handler.setClassifications(Map.of(), true);
        handler.setRetryListeners(new FailedBatchLog());
        return handler;
    }

    private static void neverSkip(ConsumerRecord<?, ?> record, Exception fault) {
        throw new IllegalStateException("a record would be lost", fault);
    }

    /** A stop lets the listener finish its batch for as long as Spring waits for a shutdown phase. */
    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> finishBatchOnStop(
            LifecycleProperties lifecycle) {
        return container -> container
                .getContainerProperties()
                .setShutdownTimeout(lifecycle.getTimeoutPerShutdownPhase().toMillis());
    }

    @Bean
    ConsumerHealthIndicator consumerHealthIndicator(
            KafkaListenerEndpointRegistry listeners, IntakeProperties properties) {
        return new ConsumerHealthIndicator(listeners, properties.heartbeatAgeMax());
    }
}
