package dev.ligeiro.testing.kafka;

import static dev.ligeiro.testing.kafka.TestTopics.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Creates consumer groups in the shared Kafka by committing offsets for them. */
public final class ConsumerGroups {

    private ConsumerGroups() {}

    /** A group that reads the records from now on. */
    public static String startingNow(String topic) {
        return committed(admin(), ends(admin(), topic));
    }

    /** Commits the end of the topic for a group without consumers, as if they had processed all records. */
    public static void passAll(String group, String topic) {
        await(admin().alterConsumerGroupOffsets(group, ends(admin(), topic)).all());
    }

    /**
     * Settings of a service whose consumers keep their partitions for this long (at least 1 s) when they are killed. They send heartbeats three
     * times as often.
     */
    public static List<String> session(Duration session) {
        String consumer = "spring.kafka.consumer.properties.";
        return List.of(
                consumer + "session.timeout.ms=" + session.toMillis(),
                consumer + "heartbeat.interval.ms=" + session.dividedBy(3).toMillis());
    }

    /** The end of each partition at this time. */
    static Map<TopicPartition, Long> ends(String topic) {
        return offsets(ends(admin(), topic));
    }

    private static Map<TopicPartition, OffsetAndMetadata> ends(Admin admin, String topic) {
        return await(admin.listOffsets(latestOfEachPartition(admin, topic)).all()).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        end -> new OffsetAndMetadata(end.getValue().offset())));
    }

    private static Map<TopicPartition, OffsetSpec> latestOfEachPartition(Admin admin, String topic) {
        return await(admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
                .flatMap(description -> description.partitions().stream())
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition.partition()),
                        partition -> OffsetSpec.latest()));
    }

    /** The committed offset of each partition. */
    public static Map<TopicPartition, Long> offsets(String group) {
        return offsets(await(admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(group)));
    }

    /** Whether the group has committed the end of the topic. */
    public static boolean hasPassedAll(String group, String topic) {
        return offsets(ends(admin(), topic)).equals(offsets(group));
    }

    /** The records of the topic that the group has not committed. */
    public static long lag(String group, String topic) {
        Map<TopicPartition, Long> committed = offsets(group);
        return ends(topic).entrySet().stream()
                .mapToLong(end -> end.getValue() - committed.getOrDefault(end.getKey(), 0L))
                .sum();
    }

    /** The state and the members of the group. */
    public static ConsumerGroupDescription describe(String group) {
        return await(Objects.requireNonNull(
                admin().describeConsumerGroups(List.of(group)).describedGroups().get(group)));
    }

    private static Map<TopicPartition, Long> offsets(Map<TopicPartition, OffsetAndMetadata> committed) {
        return committed.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, offset -> offset.getValue()
                .offset()));
    }

    private static String committed(Admin admin, Map<TopicPartition, OffsetAndMetadata> offsets) {
        String group = "group-" + UUID.randomUUID();
        await(admin.alterConsumerGroupOffsets(group, offsets).all());
        return group;
    }

    private static Admin admin() {
        return Shared.ADMIN;
    }

    /** Stays open until the end of the JVM, because tests call this class in loops: a new one opens connections and asks for metadata. */
    private static final class Shared {
        static final Admin ADMIN = TestTopics.admin();
    }
}
