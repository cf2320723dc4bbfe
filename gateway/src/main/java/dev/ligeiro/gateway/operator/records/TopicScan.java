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
 * One read of topics with one consumer: one partition after the other, in the order of the topics and of their partitions' numbers, each to
 * the end that it had when the scan began. It blocks, for at most its time limit, and must not run on an event loop.
 */
final class TopicScan {

    private static final Duration POLL_MAX = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final long deadlineNanos;
    private final Comparator<TopicPartition> order;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> ends;
    private final Map<TopicPartition, Long> begins;

    /**
     * @param topics one that no processor has created yet has no records
     * @param since each partition begins with its first record of this time or later; null for all records
     * @throws TimeoutException if Kafka does not answer in time
     */
    TopicScan(Consumer<byte[], byte[]> consumer, List<String> topics, @Nullable Instant since, Duration limit) {
        this.consumer = consumer;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        this.order = Comparator.comparingInt((TopicPartition partition) -> topics.indexOf(partition.topic()))
                .thenComparingInt(TopicPartition::partition);
        this.partitions = topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic, left()).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .sorted(order)
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
     * The records behind {@code after}: at most {@code max}, fewer if they exceed {@code bytesMax} or the time limit.
     *
     * @param after null for the first page
     * @throws TimeoutException if Kafka has delivered none of them in time
     */
    AdminPage<ConsumerRecord<byte[], byte[]>, RecordAt> page(@Nullable RecordAt after, int max, int bytesMax) {
        Found found = new Found(max, bytesMax);
        for (TopicPartition partition : partitions) {
            read(partition, from(partition, after), found);
        }
        RecordAt last = found.records.isEmpty() ? after : RecordAt.of(found.records.get(found.records.size() - 1));
        boolean isLast = partitions.stream().noneMatch(partition -> from(partition, last) < end(partition));
        if (!isLast && found.records.isEmpty() && !hasTime()) {
            throw new TimeoutException("no record before the time limit");
        }
        // an empty page with time left: only markers and compacted records are left
        return new AdminPage<>(found.records, isLast || found.records.isEmpty() ? null : last);
    }

    private void read(TopicPartition partition, long from, Found found) {
        long end = end(partition);
        if (from < end) {
            seek(partition, from);
        }
        long position = from;
        while (position < end && !found.isFull() && hasTime()) {
            for (ConsumerRecord<byte[], byte[]> record : poll(partition)) {
                if (record.offset() < end && !found.isFull()) {
                    found.add(record);
                }
            }
            position = consumer.position(partition, left());
        }
    }

    /**
     * The records at these places, in their order. Places without a record are left out.
     *
     * @param places in the order of the partitions and offsets
     * @throws TimeoutException if Kafka has not delivered all of them in time
     */
    List<ConsumerRecord<byte[], byte[]>> at(List<RecordAt> places, int bytesMax) {
        Set<RecordAt> wanted = Set.copyOf(places);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>(places.size());
        RecordAt readTo = null;
        for (RecordAt place : places) {
            if (readTo == null || isBehind(place, readTo)) {
                RecordAt before = new RecordAt(place.partition(), place.offset() - 1);
                AdminPage<ConsumerRecord<byte[], byte[]>, RecordAt> page = page(before, places.size(), bytesMax);
                page.items().stream()
                        .filter(record -> wanted.contains(RecordAt.of(record)))
                        .forEach(found::add);
                if (page.next() == null) {
                    break;
                }
                readTo = page.next();
            }
        }
        return found;
    }

    private boolean isBehind(RecordAt place, RecordAt other) {
        int compared = order.compare(place.partition(), other.partition());
        return compared > 0 || compared == 0 && place.offset() > other.offset();
    }

    /** The first offset of the partition that is behind {@code after}. */
    private long from(TopicPartition partition, @Nullable RecordAt after) {
        int compared = after == null ? 1 : order.compare(partition, after.partition());
        if (after != null && compared == 0) {
            return Math.max(begin(partition), after.offset() + 1);
        }
        return compared < 0 ? end(partition) : begin(partition);
    }

    private long begin(TopicPartition partition) {
        return begins.getOrDefault(partition, 0L);
    }

    private long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private void seek(TopicPartition partition, long offset) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, offset);
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
    private static final class Found {

        private final int max;
        private final int bytesMax;
        private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        private long bytes;

        private Found(int max, int bytesMax) {
            this.max = max;
            this.bytesMax = bytesMax;
        }

        /** A full page gets no further record; the next page begins with that. */
        private boolean isFull() {
            return records.size() >= max || bytes >= bytesMax;
        }

        private void add(ConsumerRecord<byte[], byte[]> record) {
            records.add(record);
            bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        }
    }
}
