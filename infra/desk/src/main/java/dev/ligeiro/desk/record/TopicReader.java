package dev.ligeiro.desk.record;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.stereotype.Component;

/** Reads topics, each time with a new consumer without a group: it commits nothing, so a read changes nothing. */
@Component
public class TopicReader {

    /** The limit of one read; closing the consumer may take another 2 s ({@code request.timeout.ms}). */
    private static final Duration READ_MAX = Duration.ofSeconds(5);

    private static final Duration POLL_MAX = Duration.ofMillis(200);
    /** The memory of one page, exceeded by at most one record. */
    private static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    TopicReader(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /** The place of a record in its topic, as text {@code <partition>-<offset>}: the id of a dead letter. Places sort in the order of a list. */
    public record RecordPlace(int partition, long offset) implements Comparable<RecordPlace> {

        static final String FORM = "[0-9]{1,9}-[0-9]{1,18}";
        static final String EXPECTED = "expected an id of the form <partition>-<offset> such as 0-42";

        private static final Comparator<RecordPlace> ORDER =
                Comparator.comparingInt(RecordPlace::partition).thenComparingLong(RecordPlace::offset);

        static RecordPlace of(ConsumerRecord<byte[], byte[]> record) {
            return new RecordPlace(record.partition(), record.offset());
        }

        /** @throws IllegalArgumentException with the expected form as its message */
        @JsonCreator
        public static RecordPlace valueOf(String text) {
            if (!text.matches(FORM)) {
                throw new IllegalArgumentException(EXPECTED);
            }
            String[] parts = text.split("-");
            return new RecordPlace(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
        }

        @Override
        public int compareTo(RecordPlace other) {
            return ORDER.compare(this, other);
        }

        @JsonValue
        @Override
        public String toString() {
            return partition + "-" + offset;
        }
    }

    /** A page of records; {@code next} is the place of the last one, null on the last page. */
    record Page(List<ConsumerRecord<byte[], byte[]>> records, @Nullable RecordPlace next) {}

    /**
     * The next records, one partition after the other, each to the end that it has now. They are fewer than {@code max} if they exceed 4 MiB
     * or 5 s.
     *
     * @param topic one that no processor has created yet has no records
     * @param since each partition begins with its first record of this time or later
     * @param after the place that they come after; null for the first page
     * @throws Problem 503 while Kafka is unavailable
     */
    Page read(String topic, Instant since, @Nullable RecordPlace after, int max) {
        // with a client id of its own: two clients with one id would register the same JMX bean
        try (Consumer<byte[], byte[]> consumer =
                consumers.createConsumer(null, null, "-" + created.incrementAndGet())) {
            return read(consumer, topic, since, after, max);
        } catch (KafkaException away) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "Kafka is unavailable; nothing was changed");
        }
    }

    private static Page read(
            Consumer<byte[], byte[]> consumer, String topic, Instant since, @Nullable RecordPlace after, int max) {
        long deadline = System.nanoTime() + READ_MAX.toNanos();
        List<TopicPartition> partitions = consumer.partitionsFor(topic, READ_MAX).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .filter(partition -> after == null || partition.partition() >= after.partition())
                .sorted(Comparator.comparingInt(TopicPartition::partition))
                .toList();
        if (partitions.isEmpty()) {
            return new Page(List.of(), null);
        }
        // without an assignment the consumer logs a warning for each offset
        consumer.assign(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, READ_MAX);
        Map<TopicPartition, OffsetAndTimestamp> begins = consumer.offsetsForTimes(
                partitions.stream()
                        .collect(Collectors.toMap(Function.identity(), each -> Math.max(0, since.toEpochMilli()))),
                READ_MAX);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        long bytes = 0;
        for (TopicPartition partition : partitions) {
            OffsetAndTimestamp begin = begins.get(partition);
            long end = begin == null ? 0 : ends.getOrDefault(partition, 0L);
            long first = after != null && after.partition() == partition.partition() ? after.offset() + 1 : 0;
            long position = begin == null ? 0 : Math.max(begin.offset(), first);
            consumer.assign(List.of(partition));
            consumer.seek(partition, position);
            while (position < end) {
                if (System.nanoTime() > deadline) {
                    return more(found);
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL_MAX)) {
                    if (record.offset() >= end) {
                        break;
                    }
                    if (found.size() >= max || bytes >= PAGE_BYTES_MAX) {
                        return more(found);
                    }
                    found.add(record);
                    bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
                }
                position = consumer.position(partition, READ_MAX);
            }
        }
        return new Page(found, null);
    }

    /** @throws TimeoutException if Kafka has delivered none of them in time */
    private static Page more(List<ConsumerRecord<byte[], byte[]>> found) {
        if (found.isEmpty()) {
            throw new TimeoutException("no record before the time limit");
        }
        return new Page(found, RecordPlace.of(found.get(found.size() - 1)));
    }
}
