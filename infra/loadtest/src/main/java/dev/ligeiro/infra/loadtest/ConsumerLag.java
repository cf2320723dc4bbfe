package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.message.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** How many records of commands and events the consumers have not committed yet. */
final class ConsumerLag implements AutoCloseable {

    private static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);
    private static final long ANSWER_SECONDS = 10;

    private final Admin admin;

    ConsumerLag(DemoEnv env) {
        Map<String, Object> settings = env.kafkaClient();
        settings.put("client.id", "loadtest");
        this.admin = Admin.create(settings);
    }

    /** The sum over all groups; 0 when there is no group. */
    long records() {
        // read before the end offsets: the lag may be overstated, never understated
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        committed.keySet().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        return get(admin.listOffsets(latest).all()).entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue().offset() - committed.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        for (GroupListing group : get(admin.listGroups().all())) {
            get(admin.listConsumerGroupOffsets(Map.of(group.groupId(), new ListConsumerGroupOffsetsSpec()))
                            .partitionsToOffsetAndMetadata(group.groupId()))
                    .forEach((partition, offset) -> {
                        if (offset != null && TOPICS.contains(partition.topic())) {
                            committed.merge(partition, offset.offset(), Math::min);
                        }
                    });
        }
        return committed;
    }

    private static <T> T get(KafkaFuture<T> answer) {
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new CannotRunException("Kafka did not return the consumers' offsets: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }
}
