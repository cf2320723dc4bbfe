package dev.ligeiro.support.kafka;

import dev.ligeiro.support.TransientFault;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.RetryListener;
import org.springframework.util.backoff.ExponentialBackOff;

/** The set-up of a service's batch listeners: start, retries, stop, health and dead letters. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IntakeProperties.class)
@Import({BatchSender.class, StartIntake.class})
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

    /** Logs one line per failed attempt at a batch. The stack trace, which may quote a record, is logged at DEBUG only. */
    private static final class FailedBatchLog implements RetryListener {

        private static final Logger LOG = LoggerFactory.getLogger(FailedBatchLog.class);

        @Override
        public void failedDelivery(ConsumerRecord<?, ?> record, @Nullable Exception fault, int attempt) {
            throw new IllegalStateException("the listener takes batches", fault);
        }

        @Override
        public void failedDelivery(ConsumerRecords<?, ?> records, Exception fault, int attempt) {
            // the listener container wraps the listener's exception
            Throwable cause = fault.getCause() == null ? fault : fault.getCause();
            LOG.atWarn()
                    .addKeyValue("event.action", "batch_failed")
                    .addKeyValue("attempt", attempt)
                    .addKeyValue("records", records.count())
                    .addKeyValue("cause", describe(cause))
                    .log("A batch failed and is tried again");
            LOG.atDebug()
                    .setCause(fault)
                    .addKeyValue("event.action", "batch_failed")
                    .log("The exception of the failed batch");
        }

        private static String describe(Throwable cause) {
            return cause instanceof TransientFault
                    ? String.valueOf(cause.getMessage())
                    : cause.getClass().getSimpleName();
        }
    }

    /**
     * Up while the service can receive records: it has an assignment, and the last heartbeat of each consumer is recent. An
     * assignment alone is not enough, because a consumer keeps it while the broker is unavailable. An empty assignment counts: if
     * there are more consumers than partitions, some have no partition and stand by.
     */
    static final class ConsumerHealthIndicator implements HealthIndicator, ConsumerAwareRebalanceListener {

        private static final String HEARTBEAT_AGE = "last-heartbeat-seconds-ago";
        private static final double NEVER = -1;

        private final KafkaListenerEndpointRegistry listeners;
        private final double heartbeatAgeMaxSeconds;
        private volatile boolean assigned;

        ConsumerHealthIndicator(KafkaListenerEndpointRegistry listeners, Duration heartbeatAgeMax) {
            this.listeners = listeners;
            this.heartbeatAgeMaxSeconds = heartbeatAgeMax.toMillis() / 1000.0;
        }

        @Override
        public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            assigned = true;
        }

        @Override
        public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            assigned = false;
        }

        @Override
        public Health health() {
            Collection<MessageListenerContainer> containers = listeners.getListenerContainers();
            if (!containers.stream().allMatch(MessageListenerContainer::isRunning)) {
                return Health.down()
                        .withDetail("reason", "the listener is not started")
                        .build();
            }
            double heartbeatAgeSeconds = longestHeartbeatAgeSeconds(containers);
            boolean member = heartbeatAgeSeconds != NEVER && heartbeatAgeSeconds <= heartbeatAgeMaxSeconds;
            return (assigned && member ? Health.up() : Health.down())
                    .withDetail("partitions", partitions(containers))
                    .withDetail("heartbeat_age_seconds", heartbeatAgeSeconds)
                    .build();
        }

        /** {@link #NEVER} if a consumer has not sent a heartbeat yet. */
        private static double longestHeartbeatAgeSeconds(Collection<MessageListenerContainer> containers) {
            List<Double> ages = containers.stream()
                    .flatMap(container -> container.metrics().values().stream())
                    .flatMap(metrics -> metrics.values().stream())
                    .filter(metric -> metric.metricName().name().equals(HEARTBEAT_AGE))
                    .map(metric -> ((Number) metric.metricValue()).doubleValue())
                    .toList();
            return ages.stream().anyMatch(age -> age < 0)
                    ? NEVER
                    : ages.stream().max(Double::compare).orElse(NEVER);
        }

        private static int partitions(Collection<MessageListenerContainer> containers) {
            return containers.stream()
                    .map(MessageListenerContainer::getAssignedPartitions)
                    .mapToInt(partitions -> partitions == null ? 0 : partitions.size())
                    .sum();
        }
    }
}
