package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.KafkaConsumerConfiguration.ConsumerHealthIndicator;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

class ConsumerHealthIndicatorTest {

    private static final List<TopicPartition> PARTITIONS = List.of(new TopicPartition("orders", 7));
    private static final Consumer<byte[], byte[]> CONSUMER = new MockConsumer<>("earliest");

    private Collection<MessageListenerContainer> containers = List.of();
    private final ConsumerHealthIndicator indicator = new ConsumerHealthIndicator(
            new KafkaListenerEndpointRegistry() {
                @Override
                public Collection<MessageListenerContainer> getListenerContainers() {
                    return containers;
                }
            },
            Duration.ofSeconds(15));

    /** The metric of the heartbeat is -1 before the first one. */
    @ParameterizedTest
    @CsvSource({
        // running, assignment, seconds since the last heartbeat of each consumer, expected
        "false, some,  1,     DOWN",
        "true,  none,  1,     DOWN",
        "true,  empty, 1,     UP",
        "true,  lost,  1,     DOWN",
        "true,  some,  0 0,   UP",
        "true,  some,  1 15,  UP",
        "true,  some,  1 16,  DOWN",
        "true,  some,  16 1,  DOWN",
        "true,  some,  1 -1,  DOWN",
        "true,  some,  -1 -1, DOWN",
        "true,  some,  '',    DOWN",
    })
    void isUpWhileItIsAssignedAndTheOldestHeartbeatIsRecent(
            boolean running, String assignment, String heartbeats, String expected) {
        double[] ages = Stream.of(heartbeats.split(" "))
                .filter(age -> !age.isEmpty())
                .mapToDouble(Double::parseDouble)
                .toArray();
        containers = List.of(new Listener(running, ages));
        if (!assignment.equals("none")) {
            indicator.onPartitionsAssigned(CONSUMER, assignment.equals("empty") ? List.of() : PARTITIONS);
        }
        if (assignment.equals("lost")) {
            indicator.onPartitionsLost(CONSUMER, PARTITIONS);
        }

        Health health = indicator.health();

        assertThat(health.getStatus().getCode()).isEqualTo(expected);
        assertThat(health.getDetails().containsKey("reason")).isEqualTo(!running);
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
