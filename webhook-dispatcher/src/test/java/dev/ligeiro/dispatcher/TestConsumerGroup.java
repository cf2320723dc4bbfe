package dev.ligeiro.dispatcher;

import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** The consumer group of an environment's dispatchers. */
public final class TestConsumerGroup {

    private final String environment;
    private String name;

    TestConsumerGroup(String environment) {
        this.environment = environment;
        this.name = environment;
    }

    String name() {
        return name;
    }

    /** Dispatchers that are started after this call receive every event of the topic again. */
    public void renew() {
        name = environment + "_" + UUID.randomUUID();
    }

    /** The session time-out of the consumer group; see {@link ConsumerGroups#setSession}. */
    public void setSession(Duration session) {
        ConsumerGroups.setSession(name, session);
    }

    /** The events that the consumer group has not committed. */
    public long lag() {
        try (Admin admin = TestTopics.admin()) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(name)
                    .partitionsToOffsetAndMetadata()
                    .get(TestEnvironment.WAIT.toSeconds(), TimeUnit.SECONDS);
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            for (int partition = 0; partition < TestEvents.PARTITIONS; partition++) {
                latest.put(new TopicPartition(Topics.EVENTS, partition), OffsetSpec.latest());
            }
            return admin
                    .listOffsets(latest)
                    .all()
                    .get(TestEnvironment.WAIT.toSeconds(), TimeUnit.SECONDS)
                    .entrySet()
                    .stream()
                    .mapToLong(end -> {
                        OffsetAndMetadata offset = committed.get(end.getKey());
                        return end.getValue().offset() - (offset == null ? 0 : offset.offset());
                    })
                    .sum();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The members of the consumer group that have partitions. */
    public long membersWithPartitions() {
        return members().stream()
                .filter(member -> !member.assignment().topicPartitions().isEmpty())
                .count();
    }

    /** The same, when the others have given back what the broker asks for. */
    public long membersThatShallHavePartitions() {
        return members().stream()
                .filter(member -> member.targetAssignment()
                        .filter(target -> !target.topicPartitions().isEmpty())
                        .isPresent())
                .count();
    }

    /** Whether no rebalance is under way. During one, Kafka may refuse to commit offsets, and redelivers the batch. */
    public boolean isStable() {
        return describe().groupState() == GroupState.STABLE;
    }

    private Collection<MemberDescription> members() {
        return describe().members();
    }

    private ConsumerGroupDescription describe() {
        try (Admin admin = TestTopics.admin()) {
            return Objects.requireNonNull(admin.describeConsumerGroups(List.of(name))
                            .describedGroups()
                            .get(name))
                    .get(TestEnvironment.WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
