package dev.ligeiro.dispatcher;

import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
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

    /** The session time-out of the consumer group; see {@link ConsumerGroups#setSession}. */
    public void setSession(Duration session) {
        ConsumerGroups.setSession(name, session);
    }

    /** The events that the consumer group has not committed. */
    public long lag() {
        return ConsumerGroups.lag(name, Topics.EVENTS);
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
        return ConsumerGroups.describe(name);
    }
}
