package dev.ligeiro.desk.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.stereotype.Component;

/** How old the oldest record is that a consumer group has not passed: reads the first record behind its committed offsets. */
@Component
public class GroupLag {

    private static final Duration READ_MAX = Duration.ofSeconds(3);
    private static final Duration POLL_MAX = Duration.ofMillis(200);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    GroupLag(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /** Zero if the group has passed all records. It asks for the group's offsets without joining it, and commits nothing. */
    public Duration of(String group, String topic, Instant now) {
        try (Consumer<byte[], byte[]> consumer =
                consumers.createConsumer(group, null, "-lag-" + created.incrementAndGet())) {
            Set<TopicPartition> partitions = consumer.partitionsFor(topic, READ_MAX).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .collect(Collectors.toSet());
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions, READ_MAX);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, READ_MAX);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, READ_MAX);
            Set<TopicPartition> behind = new HashSet<>();
            partitions.forEach(each -> {
                OffsetAndMetadata passed = committed.get(each);
                long next = Math.max(passed == null ? 0 : passed.offset(), begins.getOrDefault(each, 0L));
                if (next < ends.getOrDefault(each, 0L)) {
                    behind.add(each);
                }
            });
            return behind.isEmpty() ? Duration.ZERO : age(consumer, behind, committed, begins, now);
        }
    }

    private static Duration age(
            Consumer<byte[], byte[]> consumer,
            Set<TopicPartition> behind,
            Map<TopicPartition, OffsetAndMetadata> committed,
            Map<TopicPartition, Long> begins,
            Instant now) {
        consumer.assign(behind);
        behind.forEach(each -> {
            OffsetAndMetadata passed = committed.get(each);
            consumer.seek(each, Math.max(passed == null ? 0 : passed.offset(), begins.getOrDefault(each, 0L)));
        });
        Set<TopicPartition> unread = new HashSet<>(behind);
        long oldest = now.toEpochMilli();
        long deadline = System.nanoTime() + READ_MAX.toNanos();
        while (!unread.isEmpty() && System.nanoTime() < deadline) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL_MAX)) {
                oldest = Math.min(oldest, record.timestamp());
                unread.remove(new TopicPartition(record.topic(), record.partition()));
            }
            consumer.pause(
                    behind.stream().filter(each -> !unread.contains(each)).toList());
        }
        return Duration.ofMillis(now.toEpochMilli() - oldest);
    }
}
