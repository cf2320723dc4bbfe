package dev.ligeiro.gateway.deadletter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One read of a dead-letter topic with one consumer. It blocks, for at most its time limit, and must not run on an event loop. */
final class DeadLetterScan {

    private static final Duration POLL_MAX = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final DeadLetterTopic topic;
    private final long deadlineNanos;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> begins;
    private final Map<TopicPartition, Long> ends;

    /** @throws TimeoutException if Kafka does not answer in time */
    DeadLetterScan(Consumer<byte[], byte[]> consumer, DeadLetterTopic topic, Duration limit) {
        this.consumer = consumer;
        this.topic = topic;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        // empty before a processor has created the topic
        this.partitions = consumer.partitionsFor(topic.deadLetters(), left()).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .sorted(Comparator.comparingInt(TopicPartition::partition))
                .toList();
        // without an assignment the consumer logs a warning for each offset
        consumer.assign(partitions);
        this.begins = partitions.isEmpty() ? Map.of() : consumer.beginningOffsets(partitions, left());
        this.ends = partitions.isEmpty() ? Map.of() : consumer.endOffsets(partitions, left());
    }

    /**
     * The dead letters behind {@code after}: at most {@code max}, fewer if they exceed {@code bytesMax} or the time limit.
     *
     * @throws TimeoutException if Kafka has delivered none of them in time
     */
    DeadLetterPage page(@Nullable DeadLetterId after, int max, int bytesMax) {
        Found found = new Found(max, bytesMax);
        for (TopicPartition partition : partitions) {
            read(partition, from(partition, after), found);
        }
        List<DeadLetter> page = found.deadLetters;
        DeadLetterId last = page.isEmpty() ? after : page.get(page.size() - 1).id();
        boolean more = partitions.stream().anyMatch(partition -> from(partition, last) < end(partition));
        if (more && page.isEmpty()) {
            throw new TimeoutException("no dead letter before the time limit");
        }
        return new DeadLetterPage(page, more ? last : null);
    }

    /** Reads the partition until its end, until the page is full, or until the time limit. */
    private void read(TopicPartition partition, long from, Found found) {
        long end = end(partition);
        if (from < end) {
            seek(partition, from);
        }
        long position = from;
        while (position < end && !found.isFull() && hasTime()) {
            poll(partition).stream().filter(record -> record.offset() < end).forEach(found::add);
            position = consumer.position(partition, left());
        }
    }

    /**
     * The dead letters with these ids, in their order. Ids that do not exist are left out.
     *
     * @param ids in order
     * @throws TimeoutException if Kafka has not delivered all of them in time
     */
    List<DeadLetter> byIds(List<DeadLetterId> ids) {
        Set<DeadLetterId> wanted = Set.copyOf(ids);
        List<DeadLetter> found = new ArrayList<>(ids.size());
        DeadLetterId next = new DeadLetterId(0, 0);
        for (DeadLetterId id : ids) {
            TopicPartition partition = new TopicPartition(topic.deadLetters(), id.partition());
            if (exists(partition, id.offset()) && id.compareTo(next) >= 0) {
                next = readUntilBehind(id, partition, wanted, found);
            }
        }
        return found;
    }

    /** Adds the wanted dead letters from {@code id} on. Returns the id behind the last one that was read. */
    private DeadLetterId readUntilBehind(
            DeadLetterId id, TopicPartition partition, Set<DeadLetterId> wanted, List<DeadLetter> found) {
        seek(partition, id.offset());
        long position = id.offset();
        while (position <= id.offset()) {
            if (!hasTime()) {
                throw new TimeoutException("not all dead letters before the time limit");
            }
            poll(partition).stream()
                    .map(DeadLetter::new)
                    .filter(deadLetter -> wanted.contains(deadLetter.id()))
                    .forEach(found::add);
            position = consumer.position(partition, left());
        }
        return new DeadLetterId(id.partition(), position);
    }

    private boolean exists(TopicPartition partition, long offset) {
        return partitions.contains(partition) && begin(partition) <= offset && offset < end(partition);
    }

    /** The first offset of the partition that is behind {@code after}. */
    private long from(TopicPartition partition, @Nullable DeadLetterId after) {
        if (after == null || partition.partition() > after.partition()) {
            return begin(partition);
        }
        return partition.partition() < after.partition()
                ? end(partition)
                : Math.max(begin(partition), after.offset() + 1);
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

    /** The dead letters of a page so far. */
    private static final class Found {

        private final int max;
        private final int bytesMax;
        private final List<DeadLetter> deadLetters = new ArrayList<>();
        private long bytes;

        private Found(int max, int bytesMax) {
            this.max = max;
            this.bytesMax = bytesMax;
        }

        private boolean isFull() {
            return deadLetters.size() >= max || bytes >= bytesMax;
        }

        /** Ignores the record when the page is full; the next page begins with it. */
        private void add(ConsumerRecord<byte[], byte[]> record) {
            if (!isFull()) {
                DeadLetter deadLetter = new DeadLetter(record);
                deadLetters.add(deadLetter);
                bytes += deadLetter.bytes();
            }
        }
    }
}
