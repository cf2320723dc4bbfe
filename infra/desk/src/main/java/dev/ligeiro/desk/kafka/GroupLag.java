package dev.ligeiro.desk.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.stereotype.Component;

/** How old the oldest record is that a consumer group has not passed: reads the first records behind its committed offsets. */
@Component
public class GroupLag {

    private static final Duration READ_MAX = Duration.ofSeconds(3);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    GroupLag(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /** Zero if the group has passed all records. It asks for the group's offsets without joining it, and commits nothing. */
    public Duration of(String group, String topic, Instant now) {
        try (Consumer<byte[], byte[]> consumer =
                consumers.createConsumer(group, null, "-lag-" + created.incrementAndGet())) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(
                    consumer.partitionsFor(topic, READ_MAX).stream()
                            .map(partition -> new TopicPartition(topic, partition.partition()))
                            .toList(),
                    READ_MAX);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(ends.keySet(), READ_MAX);
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(ends.keySet(), READ_MAX);
            long oldest = now.toEpochMilli();
            for (TopicPartition partition : ends.keySet()) {
                OffsetAndMetadata passed = committed.get(partition);
                long position = Math.max(passed == null ? 0 : passed.offset(), begins.getOrDefault(partition, 0L));
                if (position < ends.getOrDefault(partition, 0L)) {
                    consumer.assign(List.of(partition));
                    consumer.seek(partition, position);
                    ConsumerRecords<byte[], byte[]> first = consumer.poll(READ_MAX);
                    if (first.isEmpty()) {
                        throw new TimeoutException("no record before the time limit");
                    }
                    for (ConsumerRecord<byte[], byte[]> record : first) {
                        oldest = Math.min(oldest, record.timestamp());
                    }
                }
            }
            return Duration.ofMillis(now.toEpochMilli() - oldest);
        }
    }
}
