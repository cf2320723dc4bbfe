package dev.ligeiro.gateway.operator.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads of a topic with several partitions, from a consumer that a test controls. */
class TopicScanTest {

    private static final String TOPIC = "topic";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

    @Test
    void pagesGoThroughOnePartitionAfterTheOther() {
        partitions(3);
        offsets(0, 5, 7);
        offsets(1, 0, 0);
        offsets(2, 0, 3);

        poll(range(0, 5, 7));
        assertThat(page(null, 2)).isEqualTo(List.of("0-5", "0-6"));
        poll(range(2, 0, 3));
        assertThat(page("0-6", 2)).isEqualTo(List.of("2-0", "2-1"));
        poll(range(2, 2, 3));
        assertThat(page("2-1", 2)).isEqualTo(List.of("2-2", "end"));
        assertThat(page("2-2", 2)).isEqualTo(List.of("end"));
        assertThat(page("9-0", 2)).isEqualTo(List.of("end"));
    }

    @Test
    void aPageEndsAtTheLimitOfItsBytes() {
        partitions(1);
        offsets(0, 0, 9);
        poll(range(0, 0, 9));

        AdminPage<ConsumerRecord<byte[], byte[]>, RecordPlace> page = scan(LONG).page(null, 100);

        // the fifth one exceeds 4 MiB
        assertThat(ids(page)).isEqualTo(List.of("0-0", "0-1", "0-2", "0-3", "0-4"));
    }

    @Test
    void aReadThatGetsNothingInTimeFails() {
        partitions(1);
        offsets(0, 0, 9);
        TopicScan scan = scan(SHORT);

        assertThatThrownBy(() -> scan.page(null, 10)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> scan.at(List.of(new RecordPlace(0, 3)))).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aReadThatGetsAPartInTimeEndsAfterIt() {
        partitions(1);
        offsets(0, 0, 9);
        poll(range(0, 0, 4));

        AdminPage<ConsumerRecord<byte[], byte[]>, RecordPlace> page =
                scan(SHORT).page(null, 10);

        assertThat(page.items()).hasSize(4);
        assertThat(page.next()).isEqualTo(new RecordPlace(0, 3));
    }

    /** The ids of a page, and {@code end} after the last one. */
    private List<String> page(@Nullable String after, int max) {
        return ids(scan(LONG).page(after == null ? null : RecordPlace.parse(after), max));
    }

    private static List<String> ids(AdminPage<ConsumerRecord<byte[], byte[]>, RecordPlace> page) {
        List<String> ids = new ArrayList<>(page.items().stream()
                .map(each -> RecordPlace.of(each).toString())
                .toList());
        if (page.next() == null) {
            ids.add("end");
        } else {
            assertThat(page.next()).hasToString(ids.get(ids.size() - 1));
        }
        return ids;
    }

    private TopicScan scan(Duration limit) {
        return new TopicScan(consumer, TOPIC, null, limit);
    }

    private void partitions(int count) {
        consumer.updatePartitions(
                TOPIC,
                IntStream.range(0, count)
                        .mapToObj(partition ->
                                new PartitionInfo(TOPIC, partition, Node.noNode(), new Node[0], new Node[0]))
                        .toList());
    }

    private void offsets(int partition, long begin, long end) {
        consumer.updateBeginningOffsets(Map.of(partition(partition), begin));
        consumer.updateEndOffsets(Map.of(partition(partition), end));
    }

    /** One poll will deliver these records. */
    private void poll(List<ConsumerRecord<byte[], byte[]>> records) {
        consumer.schedulePollTask(() -> records.forEach(consumer::addRecord));
    }

    private static List<ConsumerRecord<byte[], byte[]>> range(int partition, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(offset -> record(partition, offset))
                .toList();
    }

    /** Says that it has 1 MB. */
    private static ConsumerRecord<byte[], byte[]> record(int partition, int offset) {
        return new ConsumerRecord<>(
                TOPIC,
                partition,
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                1_000_000,
                new byte[0],
                new byte[0],
                new RecordHeaders(),
                Optional.empty());
    }

    private static TopicPartition partition(int partition) {
        return new TopicPartition(TOPIC, partition);
    }
}
