package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

class ConsumerHealthIndicatorTest {

    private static final List<TopicPartition> PARTITIONS = List.of(new TopicPartition("orders", 7));
    private static final Consumer<byte[], byte[]> CONSUMER = new MockConsumer<>("earliest");

    private Collection<MessageListenerContainer> containers = List.of(new Listener(true, 1));
    private final ConsumerHealthIndicator indicator = new ConsumerHealthIndicator(
            new KafkaListenerEndpointRegistry() {
                @Override
                public Collection<MessageListenerContainer> getListenerContainers() {
                    return containers;
                }
            },
            Duration.ofSeconds(15));

    @Test
    void isDownBeforeTheListenerIsStarted() {
        containers = List.of(new Listener(false, 1));
        indicator.onPartitionsAssigned(CONSUMER, PARTITIONS);

        Health health = indicator.health();

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("reason", "the listener is not started");
    }

    @Test
    void isDownWithoutAnAssignment() {
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void isUpWithAnEmptyAssignment() {
        indicator.onPartitionsAssigned(CONSUMER, List.of());

        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void isDownAfterTheLossOfItsPartitions() {
        indicator.onPartitionsAssigned(CONSUMER, PARTITIONS);
        indicator.onPartitionsLost(CONSUMER, PARTITIONS);

        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
    }

    /** The metric is -1 before the first heartbeat. */
    @ParameterizedTest
    @CsvSource({
        // seconds since the last heartbeat of each of two consumers, expected
        "0,  0,  UP",
        "1,  15, UP",
        "1,  16, DOWN",
        "16, 1,  DOWN",
        "1,  -1, DOWN",
        "-1, -1, DOWN",
    })
    void theOldestHeartbeatDecides(double one, double other, String expected) {
        containers = List.of(new Listener(true, one, other));
        indicator.onPartitionsAssigned(CONSUMER, PARTITIONS);

        assertThat(indicator.health().getStatus().getCode()).isEqualTo(expected);
    }

    @Test
    void isDownWithoutAConsumer() {
        containers = List.of(new Listener(true));
        indicator.onPartitionsAssigned(CONSUMER, PARTITIONS);

        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
    }

    /** A listener container with one consumer for each age of a last heartbeat. */
    private record Listener(boolean isRunning, double... heartbeatAges) implements MessageListenerContainer {

        @Override
        public Map<String, Map<MetricName, ? extends Metric>> metrics() {
            Map<String, Map<MetricName, ? extends Metric>> metrics = new LinkedHashMap<>();
            for (double age : heartbeatAges) {
                MetricName name = new MetricName("last-heartbeat-seconds-ago", "group", "", Map.of());
                metrics.put("consumer-" + metrics.size(), Map.of(name, new Value(name, age)));
            }
            return metrics;
        }

        @Override
        public Collection<TopicPartition> getAssignedPartitions() {
            return PARTITIONS;
        }

        @Override
        public void setupMessageListener(Object messageListener) {}

        @Override
        public void start() {}

        @Override
        public void stop() {}
    }

    private record Value(MetricName metricName, Object metricValue) implements Metric {}
}
