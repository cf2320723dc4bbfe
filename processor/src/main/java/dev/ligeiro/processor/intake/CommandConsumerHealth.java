package dev.ligeiro.processor.intake;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.stereotype.Component;

/**
 * Whether commands would be taken now: the group has told this consumer which partitions are its own, and the consumer has lately
 * sent a heartbeat. An assignment alone does not say so, since a consumer keeps it while its broker is away. None of the partitions
 * is an answer too: where there are more processors than partitions, as while a rollout starts one more, a spare stands ready.
 */
@Component("commandConsumer")
class CommandConsumerHealth implements HealthIndicator, ConsumerAwareRebalanceListener {

    private static final String HEARTBEAT_AGE = "last-heartbeat-seconds-ago";

    private final KafkaListenerEndpointRegistry listeners;
    private final double heartbeatAgeMaxSeconds;
    private volatile boolean assigned;

    CommandConsumerHealth(KafkaListenerEndpointRegistry listeners, IntakeProperties properties) {
        this.listeners = listeners;
        this.heartbeatAgeMaxSeconds = properties.heartbeatAgeMax().toMillis() / 1000.0;
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
        MessageListenerContainer listener = listeners.getListenerContainer(CommandListener.ID);
        if (listener == null || !listener.isRunning()) {
            return Health.down().withDetail("reason", "topics not there yet").build();
        }
        double heartbeatAgeSeconds = heartbeatAgeSeconds(listener.metrics());
        boolean member = heartbeatAgeSeconds >= 0 && heartbeatAgeSeconds <= heartbeatAgeMaxSeconds;
        Collection<TopicPartition> partitions = listener.getAssignedPartitions();
        return (assigned && member ? Health.up() : Health.down())
                .withDetail("partitions", partitions == null ? 0 : partitions.size())
                .withDetail("heartbeat_age_seconds", heartbeatAgeSeconds)
                .build();
    }

    /** Of the consumer that has been silent longest; -1 while one has never sent any. */
    private static double heartbeatAgeSeconds(Map<String, Map<MetricName, ? extends Metric>> consumers) {
        double[] ages = consumers.values().stream()
                .flatMap(metrics -> metrics.values().stream())
                .filter(metric -> metric.metricName().name().equals(HEARTBEAT_AGE))
                .mapToDouble(metric -> ((Number) metric.metricValue()).doubleValue())
                .toArray();
        double oldest = -1;
        for (double age : ages) {
            if (age < 0) {
                return -1;
            }
            oldest = Math.max(oldest, age);
        }
        return oldest;
    }
}
