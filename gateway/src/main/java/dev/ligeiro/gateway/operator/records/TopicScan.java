package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One read of a topic with one consumer: one partition after the other, each to the end that it had when the scan began. It blocks, for at
 * most its time limit, and must not run on an event loop.
 */
final class TopicScan {

    /** The memory of one page, exceeded by at most one record. */
    static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;

    private static final Duration POLL_MAX = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final long deadlineNanos;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> ends;
    private final Map<TopicPartition, Long> begins;

    /**
     * @param topic one that no processor has created yet has no records
     * @param since each partition begins with its first record of this time or later; null for all records
     * @throws TimeoutException if Kafka does not answer in time
     */
    TopicScan(Consumer<byte[], byte[]> consumer, String topic, @Nullable Instant since, Duration limit) {
        this.consumer = consumer;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        this.partitions = consumer.partitionsFor(topic, left()).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .sorted(Comparator.comparingInt(TopicPartition::partition))
                .toList();
        // without an assignment the consumer logs a warning for each offset
        consumer.assign(partitions);
        this.ends = partitions.isEmpty() ? Map.of() : consumer.endOffsets(partitions, left());
        this.begins = begins(since);
    }

    private Map<TopicPartition, Long> begins(@Nullable Instant since) {
        if (partitions.isEmpty()) {
            return Map.of();
        }
        return since == null ? consumer.beginningOffsets(partitions, left()) : firstSince(since.toEpochMilli());
    }

    private Map<TopicPartition, Long> firstSince(long millis) {
        Map<TopicPartition, Long> times =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> millis));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times, left());
        Map<TopicPartition, Long> first = new HashMap<>(ends);
        found.forEach((partition, offset) -> {
            // null if the partition has no record of that time or later
            if (offset != null) {
                first.put(partition, offset.offset());
            }
        });
        return first;
    }

    /**
     * The records behind {@code after}: at most {@code max}, fewer if they exceed {@link #PAGE_BYTES_MAX} or the time limit.
     *
     * @param after null for the first page
     * @throws TimeoutException if Kafka has delivered none of them in time
     */
    AdminPage<ConsumerRecord<byte[], byte[]>, RecordPlace> page(@Nullable RecordPlace after, int max) {
        PageRecords found = new PageRecords(max);
        for (TopicPartition partition : partitions) {
            read(partition, from(partition, after), found);
        }
        RecordPlace last =
                found.records.isEmpty() ? after : RecordPlace.of(found.records.get(found.records.size() - 1));
        boolean isLast = partitions.stream().noneMatch(partition -> from(partition, last) < end(partition));
        if (!isLast && found.records.isEmpty() && !hasTime()) {
            throw new TimeoutException("no record before the time limit");
        }
        // an empty page with time left: only markers and compacted records are left
        return new AdminPage<>(found.records, isLast || found.records.isEmpty() ? null : last);
    }

    /**
     * The records at these places, in their order. Places without a record are left out.
     *
     * @param places in the order of a list; neighbors are read in one page, because each seek may wait for {@code fetch.max.wait.ms}
     * @throws TimeoutException if Kafka has not delivered all of them in time
     */
    List<ConsumerRecord<byte[], byte[]>> at(List<RecordPlace> places) {
        Set<RecordPlace> wanted = Set.copyOf(places);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        RecordPlace readTo = null;
        for (RecordPlace place : places) {
            if (readTo == null || place.compareTo(readTo) > 0) {
                AdminPage<ConsumerRecord<byte[], byte[]>, RecordPlace> page =
                        page(new RecordPlace(place.partition(), place.offset() - 1), places.size());
                page.items().stream()
                        .filter(record -> wanted.contains(RecordPlace.of(record)))
                        .forEach(found::add);
                if (page.next() == null) {
                    break;
                }
                readTo = page.next();
            }
        }
        return found;
    }

    private void read(TopicPartition partition, long from, PageRecords found) {
        long end = end(partition);
        long position = from;
        if (position < end && !found.isFull()) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, position);
        }
        while (position < end && !found.isFull() && hasTime()) {
            for (ConsumerRecord<byte[], byte[]> record : poll(partition)) {
                if (record.offset() < end && !found.isFull()) {
                    found.add(record);
                }
            }
            position = consumer.position(partition, left());
        }
    }

    /** The first offset of the partition that is behind {@code after}. */
    private long from(TopicPartition partition, @Nullable RecordPlace after) {
        long begin = begins.getOrDefault(partition, 0L);
        if (after == null || partition.partition() > after.partition()) {
            return begin;
        }
        return partition.partition() == after.partition() ? Math.max(begin, after.offset() + 1) : end(partition);
    }

    private long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private List<ConsumerRecord<byte[], byte[]>> poll(TopicPartition partition) {
        Duration left = left();
        return consumer.poll(left.compareTo(POLL_MAX) < 0 ? left : POLL_MAX).records(partition);
    }

    private boolean hasTime() {
        return !left().isZero();
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    /** The records of a page so far. */
    private static final class PageRecords {

        private final int max;
        private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        private long bytes;

        private PageRecords(int max) {
            this.max = max;
        }

        /** The next page starts with the first record that did not fit. */
        private boolean isFull() {
            return records.size() >= max || bytes >= PAGE_BYTES_MAX;
        }

        private void add(ConsumerRecord<byte[], byte[]> record) {
            records.add(record);
            bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        }
    }
}
