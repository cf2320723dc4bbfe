package dev.ligeiro.dispatcher;

import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import java.util.UUID;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;

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

    /** The events that the consumer group has not committed. */
    public long lag() {
        return ConsumerGroups.lag(name, Topics.EVENTS);
    }

    /** The members of the consumer group that have partitions. */
    public long membersWithPartitions() {
        return describe().members().stream()
                .filter(member -> !member.assignment().topicPartitions().isEmpty())
                .count();
    }

    /** The number of members, also of those that wait for partitions of others. */
    public int members() {
        return describe().members().size();
    }

    /** Whether no rebalance is under way. During one, Kafka may refuse to commit offsets, and redelivers the batch. */
    public boolean isStable() {
        return describe().groupState() == GroupState.STABLE;
    }

    private ConsumerGroupDescription describe() {
        return ConsumerGroups.describe(name);
    }
}
