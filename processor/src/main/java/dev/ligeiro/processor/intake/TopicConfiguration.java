package dev.ligeiro.processor.intake;

import dev.ligeiro.message.Topics;
import java.time.Duration;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** All topics of Ligeiro, dead letters included. No other service creates one. */
@Configuration(proxyBeanMethods = false)
class TopicConfiguration {

    /** One partition keeps few records in order for their readers. */
    private static final int FEW_PARTITIONS = 1;

    /**
     * Kafka deletes a segment when its latest record is old enough. A busy segment of Kafka's default size has a week, so a record with personal
     * data would stay for two; now it stays half a day longer than the seven days.
     */
    private static final int SEGMENTS = 14;

    private final TopicProperties properties;

    TopicConfiguration(TopicProperties properties) {
        this.properties = properties;
    }

    @Bean
    NewTopic commands() {
        return temporary(Topics.COMMANDS, properties.partitions(), properties.retention())
                // compared with the creation of a transaction, by gateways and processors; a producer's time can be
                // seconds before the append
                .config(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime")
                .build();
    }

    @Bean
    NewTopic events() {
        return temporary(Topics.EVENTS, properties.partitions(), properties.retention())
                .build();
    }

    @Bean
    NewTopic deadCommands() {
        return deadLetters(Topics.COMMANDS);
    }

    @Bean
    NewTopic deadEvents() {
        return deadLetters(Topics.EVENTS);
    }

    /** Kept for ever. */
    @Bean
    @ConditionalOnBooleanProperty("ligeiro.kafka.audit-topic")
    NewTopic audit() {
        return topic(Topics.AUDIT, FEW_PARTITIONS, Duration.ofMillis(-1))
                .config(TopicConfig.RETENTION_BYTES_CONFIG, "-1")
                .build();
    }

    private NewTopic deadLetters(String topic) {
        return temporary(Topics.deadLetter(topic), FEW_PARTITIONS, properties.deadLetterRetention())
                .build();
    }

    private TopicBuilder temporary(String name, int partitions, Duration retention) {
        return topic(name, partitions, retention)
                .config(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(retention.dividedBy(SEGMENTS).toMillis()));
    }

    private TopicBuilder topic(String name, int partitions, Duration retention) {
        // one replica may be unavailable; all others must have a record before it is acknowledged
        int inSync = Math.max(1, properties.replicas() - 1);
        return TopicBuilder.name(name)
                .partitions(partitions)
                .replicas(properties.replicas())
                .config(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(inSync))
                .config(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
                .config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()));
    }
}
