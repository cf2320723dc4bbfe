package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;

class StartIntakeIT {

    private final DefaultKafkaConsumerFactory<byte[], byte[]> consumers = new DefaultKafkaConsumerFactory<>(
            Map.of(
                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    "kafka.invalid:9092",
                    ConsumerConfig.GROUP_ID_CONFIG,
                    "test"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());

    /** Kubernetes and Compose know a broker's name only while its container runs. */
    @Test
    void waitsForAKafkaWhoseNameIsNotKnownYet() {
        ContainerProperties properties = new ContainerProperties("events");
        properties.setMessageListener((MessageListener<byte[], byte[]>) message -> {});
        ConcurrentMessageListenerContainer<byte[], byte[]> listener =
                new ConcurrentMessageListenerContainer<>(consumers, properties);
        KafkaAdmin admin = new KafkaAdmin(consumers.getConfigurationProperties());
        admin.setApplicationContext(new StaticApplicationContext());
        StartIntake start = new StartIntake(
                admin,
                new KafkaListenerEndpointRegistry() {
                    @Override
                    public Collection<MessageListenerContainer> getListenerContainers() {
                        return List.of(listener);
                    }
                },
                new IntakeProperties(Duration.ofMinutes(2), Duration.ofSeconds(1), Duration.ofSeconds(15)));
        start.start();
        await().during(Duration.ofSeconds(1)).until(() -> listener.metrics().isEmpty());
        assertThat(listener.isRunning()).isFalse();

        consumers.updateConfigs(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:9"));

        await().until(() -> listener.isRunning() && !listener.metrics().isEmpty());
        start.stop();
        listener.stop();
    }
}
