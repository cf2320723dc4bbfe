package dev.ligeiro.desk.record;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.stereotype.Component;

/** Reads topics, each time with a new consumer without a group: it commits nothing, so a read changes nothing. */
@Component
class TopicReader {

    /** The limit of one read; closing the consumer may take another 2 s ({@code request.timeout.ms}). */
    private static final Duration READ_MAX = Duration.ofSeconds(5);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    TopicReader(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /**
     * The result of {@code read}.
     *
     * @param since each partition begins with its first record of this time or later; null for all records
     * @throws Problem 503 while Kafka is unavailable
     */
    <T> T read(String topic, @Nullable Instant since, Function<Scan, T> read) {
        // with a client id of its own: two clients with one id would register the same JMX bean
        try (Consumer<byte[], byte[]> consumer =
                consumers.createConsumer(null, null, "-" + created.incrementAndGet())) {
            return read.apply(new Scan(consumer, topic, since, READ_MAX));
        } catch (KafkaException away) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "Kafka is unavailable; nothing was changed");
        }
    }

    /** A page of records; {@code next} is the place of the last one, null on the last page. */
    record Page(List<ConsumerRecord<byte[], byte[]>> records, @Nullable RecordPlace next) {}

    /** One read of a topic: one partition after the other, each to the end that it had when the scan began. */
    static final class Scan {

        /** The memory of one page, exceeded by at most one record. */
        static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;

        private static final Duration POLL_MAX = Duration.ofMillis(200);

        private final Consumer<byte[], byte[]> consumer;
        private final long deadlineNanos;
        private final List<TopicPartition> partitions;
        private final Map<TopicPartition, Long> ends;
        private final Map<TopicPartition, Long> begins;

        /** @param topic one that no processor has created yet has no records */
        Scan(Consumer<byte[], byte[]> consumer, String topic, @Nullable Instant since, Duration limit) {
            this.consumer = consumer;
            this.deadlineNanos = System.nanoTime() + limit.toNanos();
            this.partitions = consumer.partitionsFor(topic, left()).stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .sorted(Comparator.comparingInt(TopicPartition::partition))
                    .toList();
            // without an assignment the consumer logs a warning for each offset
            consumer.assign(partitions);
            this.ends = partitions.isEmpty() ? Map.of() : consumer.endOffsets(partitions, left());
            this.begins = partitions.isEmpty()
                    ? Map.of()
                    : since == null ? consumer.beginningOffsets(partitions, left()) : firstSince(since.toEpochMilli());
        }

        private Map<TopicPartition, Long> firstSince(long millis) {
            Map<TopicPartition, Long> first = new HashMap<>(ends);
            consumer.offsetsForTimes(
                            partitions.stream().collect(Collectors.toMap(Function.identity(), each -> millis)), left())
                    .forEach((partition, offset) -> {
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
        Page page(@Nullable RecordPlace after, int max) {
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            long bytes = 0;
            for (TopicPartition partition : partitions) {
                long position = from(partition, after);
                long end = ends.getOrDefault(partition, 0L);
                boolean isFull = found.size() >= max || bytes >= PAGE_BYTES_MAX;
                if (position < end && !isFull) {
                    consumer.assign(List.of(partition));
                    consumer.seek(partition, position);
                }
                while (position < end && !isFull && hasTime()) {
                    for (ConsumerRecord<byte[], byte[]> record : poll(partition)) {
                        // the next page starts with the first record that does not fit
                        isFull = found.size() >= max || bytes >= PAGE_BYTES_MAX;
                        if (record.offset() < end && !isFull) {
                            found.add(record);
                            bytes +=
                                    Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
                        }
                    }
                    position = consumer.position(partition, left());
                }
            }
            RecordPlace last = found.isEmpty() ? after : RecordPlace.of(found.get(found.size() - 1));
            boolean isLast = partitions.stream()
                    .noneMatch(partition -> from(partition, last) < ends.getOrDefault(partition, 0L));
            if (!isLast && found.isEmpty() && !hasTime()) {
                throw new TimeoutException("no record before the time limit");
            }
            // an empty page with time left: only markers and compacted records are left
            return new Page(found, isLast || found.isEmpty() ? null : last);
        }

        /** The records at these places, in the order of a list. Places without a record are left out. */
        List<ConsumerRecord<byte[], byte[]>> at(Collection<RecordPlace> places) {
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            RecordPlace readTo = null;
            for (RecordPlace place : places.stream().distinct().sorted().toList()) {
                // neighbors are read in one page, because each seek may wait for fetch.max.wait.ms
                if (readTo == null || place.compareTo(readTo) > 0) {
                    Page page = page(new RecordPlace(place.partition(), place.offset() - 1), places.size());
                    page.records().stream()
                            .filter(record -> places.contains(RecordPlace.of(record)))
                            .forEach(found::add);
                    readTo = page.next() == null ? new RecordPlace(Integer.MAX_VALUE, 0) : page.next();
                }
            }
            return found;
        }

        /** The first offset of the partition that is behind {@code after}. */
        private long from(TopicPartition partition, @Nullable RecordPlace after) {
            long begin = begins.getOrDefault(partition, 0L);
            if (after == null || partition.partition() > after.partition()) {
                return begin;
            }
            return partition.partition() == after.partition()
                    ? Math.max(begin, after.offset() + 1)
                    : ends.getOrDefault(partition, 0L);
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
}
