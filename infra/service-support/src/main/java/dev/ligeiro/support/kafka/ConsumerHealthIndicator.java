package dev.ligeiro.support.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Up while the service can receive records: it has an assignment, and the last heartbeat of each consumer is recent. An
 * assignment alone is not enough, because a consumer keeps it while the broker is unavailable. An empty assignment counts: if
 * there are more consumers than partitions, some have no partition and stand by.
 */
final class ConsumerHealthIndicator implements HealthIndicator, ConsumerAwareRebalanceListener {

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
