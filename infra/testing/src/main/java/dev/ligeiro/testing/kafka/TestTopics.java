package dev.ligeiro.testing.kafka;

import dev.ligeiro.testing.brokers.TestBrokers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.awaitility.Awaitility;

/**
 * Creates and deletes topics of the shared Kafka. All tests use the same topics, so a topic also has records of other tests: a test
 * selects its own by their keys.
 */
public final class TestTopics {

    private static final short REPLICAS = 1;
    private static final long WAIT_SECONDS = 30;
    private static final long UP_TO_THE_END = -1;
    private static final int RECONNECT_MILLIS = 200;

    private TestTopics() {}

    /**
     * Creates the topic, and returns when the broker knows it, which may be a little later than it has answered. Does nothing if it
     * exists, even with another number of partitions.
     */
    public static void create(String topic, int partitions) {
        create(topic, partitions, Map.of());
    }

    /** Like {@link #create(String, int)}, with settings of the topic. */
    public static void create(String topic, int partitions, Map<String, String> settings) {
        try (Admin admin = admin()) {
            await(admin.createTopics(List.of(new NewTopic(topic, partitions, REPLICAS).configs(settings)))
                    .all());
            Awaitility.await().until(() -> isKnown(admin, topic));
        } catch (TopicExistsException alreadyThere) {
            // another test created it
        }
    }

    /** Whether the broker describes the topic. */
    public static boolean isKnown(Admin admin, String topic) {
        try {
            return !await(admin.describeTopics(List.of(topic)).allTopicNames()).isEmpty();
        } catch (UnknownTopicOrPartitionException notYet) {
            return false;
        }
    }

    /** Deletes the topic if it exists. */
    public static void delete(String topic) {
        try (Admin admin = admin()) {
            await(admin.deleteTopics(List.of(topic)).all());
        } catch (UnknownTopicOrPartitionException alreadyGone) {
            // no test has created it
        }
    }

    /** Deletes the records of the topic, as its retention does. */
    public static void deleteRecords(String topic) {
        try (Admin admin = admin()) {
            TopicDescription description = Objects.requireNonNull(
                    await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic));
            await(admin.deleteRecords(description.partitions().stream()
                            .collect(Collectors.toMap(
                                    partition -> new TopicPartition(topic, partition.partition()),
                                    partition -> RecordsToDelete.beforeOffset(UP_TO_THE_END))))
                    .all());
        }
    }

    /** For other requests to the broker. The caller closes it. */
    public static Admin admin() {
        return Admin.create(Map.of(
                "bootstrap.servers",
                TestBrokers.kafkaBootstrapServers(),
                "reconnect.backoff.max.ms",
                RECONNECT_MILLIS));
    }

    /** Waits for the broker's response and throws its exception unwrapped. */
    static <T> T await(KafkaFuture<T> answer) {
        try {
            return answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
