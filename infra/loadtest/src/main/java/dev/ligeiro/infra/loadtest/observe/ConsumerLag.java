package dev.ligeiro.infra.loadtest.observe;

import dev.ligeiro.infra.loadtest.system.CannotRunException;
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
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** How many records of commands and events wait for whoever consumes them: what has been written minus what has been committed. */
public final class ConsumerLag implements AutoCloseable {

    private static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);
    private static final long ANSWER_SECONDS = 10;

    private final Admin admin;

    public ConsumerLag(String bootstrapServers) {
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers, "client.id", "loadtest"));
    }

    /** The sum over all groups; 0 while there are none. */
    public long records() {
        try {
            Map<TopicPartition, Long> committed = committed();
            Map<TopicPartition, Long> ends = ends(committed);
            return committed.entrySet().stream()
                    .mapToLong(entry -> Math.max(0, ends.getOrDefault(entry.getKey(), 0L) - entry.getValue()))
                    .sum();
        } catch (ExecutionException | TimeoutException e) {
            throw new CannotRunException("Kafka does not tell the consumers' offsets: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }

    /** Read before the ends, so that no lag is missed. */
    private Map<TopicPartition, Long> committed() throws ExecutionException, InterruptedException, TimeoutException {
        Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
        for (GroupListing group : get(admin.listGroups().all())) {
            groups.put(group.groupId(), new ListConsumerGroupOffsetsSpec());
        }
        Map<TopicPartition, Long> committed = new HashMap<>();
        if (!groups.isEmpty()) {
            get(admin.listConsumerGroupOffsets(groups).all()).values().forEach(offsets -> add(offsets, committed));
        }
        return committed;
    }

    private static void add(Map<TopicPartition, OffsetAndMetadata> offsets, Map<TopicPartition, Long> committed) {
        offsets.forEach((partition, offset) -> {
            if (offset != null && TOPICS.contains(partition.topic())) {
                committed.merge(partition, offset.offset(), Math::min);
            }
        });
    }

    private Map<TopicPartition, Long> ends(Map<TopicPartition, Long> committed)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        committed.keySet().forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        get(admin.listOffsets(wanted).all()).forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    private static <T> T get(KafkaFuture<T> answer) throws ExecutionException, InterruptedException, TimeoutException {
        return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }
}
