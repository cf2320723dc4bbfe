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
 * Creates and deletes topics of the shared Kafka. All tests use the same topics, so a topic also has records of other tests: a test
 * selects its own by their keys.
 */
public final class TestTopics {

    private static final short REPLICAS = 1;
    private static final long WAIT_SECONDS = 30;

    private TestTopics() {}

    /** Creates the topic. Does nothing if it exists, even with another number of partitions. */
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

    /** For other requests to the broker. The caller closes it. */
    public static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()));
    }

    /** Waits for the broker's response and throws its exception unwrapped. */
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
