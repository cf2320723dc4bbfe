package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.core.KafkaAdmin;

/** Creates the topics on a real broker under other names, because other tests use the real ones. */
class TopicsIT {

    private static final TopicProperties SETTINGS =
            new TopicProperties(5, (short) 1, Duration.ofHours(50), Duration.ofHours(500));

    private final String prefix = "topics-it-" + UUID.randomUUID().toString().substring(0, 8) + "-";
    private final TopicConfiguration configuration = new TopicConfiguration(SETTINGS);
    private final KafkaAdmin kafka = new KafkaAdmin(Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()));

    @Test
    void theBrokerKeepsRecordsAsLongAsTheSettingsSayAndStampsCommandsWithTheTimeOfTheirAppend() throws Exception {
        kafka.createOrModifyTopics(Stream.of(
                        configuration.commands(),
                        configuration.events(),
                        configuration.deadCommands(),
                        configuration.deadEvents())
                .map(this::renamed)
                .toArray(NewTopic[]::new));

        for (String topic : List.of(Topics.COMMANDS, Topics.EVENTS)) {
            assertThat(partitions(topic)).isEqualTo(5);
            assertThat(setting(topic, "retention.ms")).isEqualTo("180000000");
            assertThat(setting(topic, "segment.ms")).isEqualTo("12857142");
            assertThat(setting(topic, "cleanup.policy")).isEqualTo("delete");
            assertThat(partitions(Topics.deadLetter(topic))).isEqualTo(1);
            assertThat(setting(Topics.deadLetter(topic), "retention.ms")).isEqualTo("1800000000");
            assertThat(setting(Topics.deadLetter(topic), "segment.ms")).isEqualTo("128571428");
        }
        assertThat(setting(Topics.COMMANDS, "message.timestamp.type")).isEqualTo("LogAppendTime");
    }

    @Test
    void theBrokerKeepsTheAuditForEverIfTheSettingSaysSo() throws Exception {
        ApplicationContextRunner context = new ApplicationContextRunner()
                .withBean(TopicProperties.class, () -> SETTINGS)
                .withUserConfiguration(TopicConfiguration.class);
        context.run(without -> assertThat(without).doesNotHaveBean("audit"));
        context.withPropertyValues("ligeiro.kafka.audit-topic=true")
                .run(with -> kafka.createOrModifyTopics(renamed(with.getBean("audit", NewTopic.class))));

        assertThat(partitions(Topics.AUDIT)).isEqualTo(1);
        assertThat(setting(Topics.AUDIT, "retention.ms")).isEqualTo("-1");
        assertThat(setting(Topics.AUDIT, "retention.bytes")).isEqualTo("-1");
        assertThat(setting(Topics.AUDIT, "cleanup.policy")).isEqualTo("delete");
    }

    /** Such as one of Strimzi's Topic Operator, which would undo changes. */
    @Test
    void aTopicOfAnotherOwnerKeepsItsPartitionsAndSettings() throws Exception {
        Map<String, String> theirs =
                Map.of("retention.ms", "7200000", "segment.ms", "3600000", "cleanup.policy", "compact");
        kafka.createOrModifyTopics(new NewTopic(prefix + Topics.EVENTS, 7, (short) 1).configs(theirs));

        kafka.createOrModifyTopics(renamed(configuration.events()));

        assertThat(partitions(Topics.EVENTS)).isEqualTo(7);
        for (Map.Entry<String, String> setting : theirs.entrySet()) {
            assertThat(setting(Topics.EVENTS, setting.getKey())).isEqualTo(setting.getValue());
        }
    }

    private NewTopic renamed(NewTopic topic) {
        return new NewTopic(prefix + topic.name(), topic.numPartitions(), topic.replicationFactor())
                .configs(topic.configs());
    }

    private int partitions(String topic) throws ExecutionException, InterruptedException, TimeoutException {
        try (Admin admin = TestTopics.admin()) {
            awaitKnown(admin, topic);
            return Objects.requireNonNull(admin.describeTopics(List.of(prefix + topic))
                            .allTopicNames()
                            .get(30, TimeUnit.SECONDS)
                            .get(prefix + topic))
                    .partitions()
                    .size();
        }
    }

    private String setting(String topic, String key) throws ExecutionException, InterruptedException, TimeoutException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, prefix + topic);
        try (Admin admin = TestTopics.admin()) {
            awaitKnown(admin, topic);
            Config config = Objects.requireNonNull(admin.describeConfigs(List.of(resource))
                    .all()
                    .get(30, TimeUnit.SECONDS)
                    .get(resource));
            return config.get(key).value();
        }
    }

    /** The broker learns of a new topic a little later than the controller has answered. */
    private void awaitKnown(Admin admin, String topic) {
        await().until(() -> TestTopics.isKnown(admin, prefix + topic));
    }
}
