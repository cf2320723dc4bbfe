package dev.ligeiro.gateway.backup;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One read of commands and events with one consumer, one partition after the other. It blocks, for at most its time limit, and must
 * not run on an event loop.
 */
final class RecordScan {

    /** New transactions are in the commands until a processor accepts them; every later state is in the events. */
    static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);

    private static final Duration POLL_MAX = Duration.ofMillis(200);
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparingInt(RecordScan::topic).thenComparingInt(TopicPartition::partition);

    private final Consumer<byte[], byte[]> consumer;
    private final long deadlineNanos;
    private final Map<TopicPartition, Long> ends;
    private final Map<TopicPartition, Long> begins;

    /**
     * @param since each partition begins with its first record of this time or later
     * @throws TimeoutException if Kafka does not answer in time
     */
    RecordScan(Consumer<byte[], byte[]> consumer, Instant since, Duration limit) {
        this.consumer = consumer;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        List<TopicPartition> partitions = TOPICS.stream()
                .flatMap(topic -> consumer.partitionsFor(topic, left()).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        // without an assignment the consumer logs a warning for each offset
        consumer.assign(partitions);
        this.ends = new TreeMap<>(ORDER);
        this.ends.putAll(partitions.isEmpty() ? Map.of() : consumer.endOffsets(partitions, left()));
        this.begins = begins(partitions, since.toEpochMilli());
    }

    private Map<TopicPartition, Long> begins(List<TopicPartition> partitions, long since) {
        if (partitions.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, Long> times =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> since));
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
     * The records behind {@code after}: at most {@code max}, fewer at the time limit.
     *
     * @throws TimeoutException if Kafka has delivered none of them in time
     */
    RecordPage page(@Nullable RecordPosition after, int max) {
        RecordPage.Draft draft = new RecordPage.Draft();
        for (TopicPartition partition : ends.keySet()) {
            read(partition, from(partition, after), max, draft);
        }
        RecordPosition last = draft.last() == null ? after : draft.last();
        boolean more = ends.keySet().stream().anyMatch(partition -> from(partition, last) < end(partition));
        if (more && draft.records() == 0) {
            throw new TimeoutException("no record before the time limit");
        }
        return draft.page(more ? last : null);
    }

    private void read(TopicPartition partition, long from, int max, RecordPage.Draft draft) {
        long position = from;
        if (position < end(partition)) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, position);
        }
        while (position < end(partition) && draft.records() < max && !left().isZero()) {
            for (ConsumerRecord<byte[], byte[]> record : poll().records(partition)) {
                if (record.offset() < end(partition) && draft.records() < max) {
                    add(record, draft);
                }
            }
            position = consumer.position(partition, left());
        }
    }

    private static void add(ConsumerRecord<byte[], byte[]> record, RecordPage.Draft draft) {
        int topic = TOPICS.indexOf(record.topic());
        RecordPosition position = new RecordPosition(topic, record.partition(), record.offset());
        try {
            draft.add(position, state(record));
        } catch (InvalidMessage unreadable) {
            draft.addUnreadable(position);
        }
    }

    private static @Nullable Transaction state(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        if (record.topic().equals(Topics.EVENTS)) {
            return MessageJson.readEvent(value).transaction();
        }
        return MessageJson.readCommand(value) instanceof TransactionCommand.Process process
                ? process.transaction()
                : null;
    }

    /** The first offset of the partition that is behind {@code after} and not before the beginning. */
    private long from(TopicPartition partition, @Nullable RecordPosition after) {
        long begin = begins.getOrDefault(partition, 0L);
        if (after == null) {
            return begin;
        }
        RecordPosition first = new RecordPosition(topic(partition), partition.partition(), 0);
        RecordPosition read = new RecordPosition(after.topic(), after.partition(), 0);
        int order = first.compareTo(read);
        if (order == 0) {
            return Math.max(begin, after.offset() + 1);
        }
        return order < 0 ? end(partition) : begin;
    }

    private long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        Duration left = left();
        return consumer.poll(left.compareTo(POLL_MAX) < 0 ? left : POLL_MAX);
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    private static int topic(TopicPartition partition) {
        return TOPICS.indexOf(partition.topic());
    }
}
