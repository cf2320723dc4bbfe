package dev.ligeiro.dispatcher.intake;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.stereotype.Component;

/**
 * Whether events would be taken now: the consumer has joined its group and is connected to a broker. It may have been assigned no
 * partition, since there may be more dispatchers than partitions: those make retries.
 */
@Component("kafkaHealthIndicator")
class KafkaHealthIndicator implements HealthIndicator, ConsumerAwareRebalanceListener {

    private static final String CONNECTIONS = "connection-count";

    private final ObjectProvider<KafkaListenerEndpointRegistry> containers;
    private final Set<Consumer<?, ?>> joined = ConcurrentHashMap.newKeySet();

    KafkaHealthIndicator(ObjectProvider<KafkaListenerEndpointRegistry> containers) {
        this.containers = containers;
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        joined.add(consumer);
    }

    @Override
    public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        joined.remove(consumer);
    }

    @Override
    public Health health() {
        MessageListenerContainer container = containers.getObject().getListenerContainer(TransactionEventsListener.ID);
        if (container == null || !container.isRunning()) {
            return Health.outOfService().withDetail("reason", "stopped").build();
        }
        Collection<TopicPartition> assigned = container.getAssignedPartitions();
        Health.Builder health = joined.isEmpty() || !connected(container) ? Health.down() : Health.up();
        return health.withDetail("joined", !joined.isEmpty())
                .withDetail("connected", connected(container))
                .withDetail("partitions", assigned == null ? 0 : assigned.size())
                .build();
    }

    private static boolean connected(MessageListenerContainer container) {
        return container.metrics().values().stream()
                .flatMap(metrics -> metrics.entrySet().stream())
                .anyMatch(KafkaHealthIndicator::isConnection);
    }

    private static boolean isConnection(Map.Entry<MetricName, ? extends Metric> metric) {
        return metric.getKey().name().equals(CONNECTIONS)
                && metric.getValue().metricValue() instanceof Double count
                && count > 0;
    }
}
