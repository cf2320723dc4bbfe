package dev.ligeiro.testing.kafka;

import dev.ligeiro.testing.brokers.TestBrokers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates and deletes topics of the shared Kafka. All tests of a build use the same topics, so a topic holds the records of
 * other tests too: a test looks for its own keys.
 */
public final class TestTopics {

    private static final short REPLICAS = 1;
    private static final long WAIT_SECONDS = 30;

    private TestTopics() {}

    /** Creates the topic unless it exists, with whatever number of partitions. */
    public static void create(String topic, int partitions) {
        try (Admin admin = admin()) {
            await(admin.createTopics(List.of(new NewTopic(topic, partitions, REPLICAS)))
                    .all());
        } catch (TopicExistsException alreadyThere) {
            // another test created it
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

    /** Deletes the committed offsets of a group that has no running consumer. */
    public static void deleteOffsets(String group) {
        try (Admin admin = admin()) {
            await(admin.deleteConsumerGroups(List.of(group)).all());
        }
    }

    /** For questions that this class does not answer. */
    public static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()));
    }

    /** Waits for an answer of the broker; its exception is thrown as it is. */
    private static void await(KafkaFuture<Void> answer) {
        try {
            answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
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
