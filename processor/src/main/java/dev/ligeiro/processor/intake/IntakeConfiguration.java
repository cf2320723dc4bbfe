package dev.ligeiro.processor.intake;

import java.time.Clock;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.RetryListener;
import org.springframework.util.backoff.ExponentialBackOff;

/** What the listener's container does besides calling it. */
@Configuration(proxyBeanMethods = false)
class IntakeConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(CommandListener.class);
    private static final long FIRST_DELAY_MILLIS = 500;
    private static final double DELAY_FACTOR = 2;

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** A batch that fails is tried again for ever, since the listener lets only transient faults through. */
    @Bean
    DefaultErrorHandler tryTheBatchAgain(IntakeProperties properties) {
        ExponentialBackOff delays = new ExponentialBackOff(FIRST_DELAY_MILLIS, DELAY_FACTOR);
        delays.setMaxInterval(properties.retryDelayMax().toMillis());
        DefaultErrorHandler handler = new DefaultErrorHandler(IntakeConfiguration::neverSkip, delays);
        // by default some exceptions are skipped at once, and a skipped record is a lost one
        handler.setClassifications(Map.of(), true);
        handler.setRetryListeners(new LogRetries());
        return handler;
    }

    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> finishTheBatchOnStop(
            IntakeProperties properties) {
        return container -> container
                .getContainerProperties()
                .setShutdownTimeout(properties.batchTimeout().toMillis());
    }

    private static void neverSkip(ConsumerRecord<?, ?> record, Exception fault) {
        throw new IllegalStateException("a record would be lost", fault);
    }

    /** One line an attempt. */
    private static final class LogRetries implements RetryListener {

        @Override
        public void failedDelivery(ConsumerRecord<?, ?> record, @Nullable Exception fault, int attempt) {
            throw new IllegalStateException("the listener takes batches", fault);
        }

        @Override
        public void failedDelivery(ConsumerRecords<?, ?> records, Exception fault, int attempt) {
            // below the wrapping of the listener's container
            Throwable cause = fault.getCause() == null ? fault : fault.getCause();
            LOG.warn(
                    "event=batch_failed attempt={} records={} cause=\"{}\"",
                    attempt,
                    records.count(),
                    cause.getMessage());
        }
    }
}
