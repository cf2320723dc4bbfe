package dev.ligeiro.gateway.operator.records;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
public final class TopicScan {

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
    public TopicScan(Consumer<byte[], byte[]> consumer, List<String> topics, @Nullable Instant since, Duration limit) {
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
     * Adds the records behind {@code after} until the page is full, all are read, or the time limit is reached.
     *
     * @param after null for the first page
     * @return the place of the page's last record if more records follow, else null
     * @throws TimeoutException if Kafka has delivered none of them in time
     */
    public @Nullable RecordAt read(@Nullable RecordAt after, RecordSink page) {
        for (TopicPartition partition : partitions) {
            read(partition, from(partition, after), page);
        }
        RecordAt last = page.last() == null ? after : page.last();
        if (partitions.stream().noneMatch(partition -> from(partition, last) < end(partition))) {
            return null;
        }
        if (page.last() == null && hasTime()) {
            return null; // only markers and compacted records are left
        }
        if (page.last() == null) {
            throw new TimeoutException("no record before the time limit");
        }
        return last;
    }

    private void read(TopicPartition partition, long from, RecordSink page) {
        long end = end(partition);
        if (from < end) {
            seek(partition, from);
        }
        long position = from;
        while (position < end && !page.isFull() && hasTime()) {
            for (ConsumerRecord<byte[], byte[]> record : poll(partition)) {
                if (record.offset() < end && !page.isFull()) {
                    page.add(record);
                }
            }
            position = consumer.position(partition, left());
        }
    }

    /**
     * Gives the record at this place, and those behind it that Kafka delivers with it.
     *
     * @return the offset behind the last one that was read
     * @throws TimeoutException if Kafka has not delivered it in time
     */
    public long readFrom(RecordAt place, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> found) {
        seek(place.partition(), place.offset());
        long position = place.offset();
        while (position <= place.offset()) {
            if (!hasTime()) {
                throw new TimeoutException("not the record before the time limit");
            }
            poll(place.partition()).forEach(found);
            position = consumer.position(place.partition(), left());
        }
        return position;
    }

    /** Whether the place is between the beginning and the end of an existing partition. */
    public boolean contains(RecordAt place) {
        return partitions.contains(place.partition())
                && begin(place.partition()) <= place.offset()
                && place.offset() < end(place.partition());
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
}
