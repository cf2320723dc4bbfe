package dev.ligeiro.gateway.operator.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

/** A topic with one partition, whose last offset is no record: it is the marker of a transaction's end, or its record was deleted. */
class TopicScanIT {

    private static final int BYTES_MAX = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final String topic = "topic-scan-" + UUID.randomUUID();
    private final TopicPartition partition = new TopicPartition(topic, 0);
    private final KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumerSettings());
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers(), "transactional.id", topic),
            new ByteArraySerializer(),
            new ByteArraySerializer());

    /** Those of the gateway. */
    private static Map<String, Object> consumerSettings() {
        Map<String, Object> settings =
                new HashMap<>(Settings.ofYaml(KafkaProperties.class).buildConsumerProperties());
        settings.put("bootstrap.servers", TestBrokers.kafkaBootstrapServers());
        return settings;
    }

    @BeforeEach
    void create() {
        TestTopics.create(topic, 1);
        producer.initTransactions();
    }

    @AfterEach
    void close() {
        producer.close();
        consumer.close();
        TestTopics.delete(topic);
    }

    @Test
    void theMarkerOfATransactionEndsAScan() {
        commit("a", "b");
        assertThat(end()).as("with the marker").isEqualTo(3);

        assertThat(pages(10)).containsExactly(List.of("a", "b"), List.of());
        assertThat(pages(2)).containsExactly(List.of("a", "b"), List.of());
    }

    @Test
    void recordsBehindAMarkerFollowOnTheSamePage() {
        commit("a");
        commit("b", "c");

        assertThat(pages(2)).containsExactly(List.of("a", "b"), List.of("c"), List.of());
    }

    @Test
    void theRecordAtTheOffsetOfAMarkerIsNotFound() {
        commit("a");
        commit("b");

        assertThat(values(scan().at(List.of(place(0), place(1), place(2), place(3)), BYTES_MAX)))
                .containsExactly("a", "b");
        assertThat(scan().at(List.of(place(1), place(3)), BYTES_MAX)).isEmpty();
    }

    @Test
    void aTopicWhoseRecordsAreAllDeletedHasOneEmptyPage() {
        commit("a", "b");
        TestTopics.deleteRecords(topic);

        assertThat(pages(10)).containsExactly(List.of());
    }

    @Test
    void recordsThatAreDeletedDuringAScanAreSkipped() {
        commit("a", "b");
        TopicScan scan = scan();
        TestTopics.deleteRecords(topic);
        commit("c");

        assertThat(scan.page(null, 10, BYTES_MAX))
                .as("the scan ends where it ended before")
                .isEqualTo(new AdminPage<>(List.of(), null));
        assertThat(pages(10)).containsExactly(List.of("c"), List.of());
    }

    @Test
    void aRecordThatIsDeletedDuringAScanIsNotFound() {
        commit("a", "b");
        TopicScan scan = scan();
        TestTopics.deleteRecords(topic);

        assertThat(scan.at(List.of(place(1)), BYTES_MAX)).isEmpty();
    }

    /** Returns when the marker is written, which the broker does a little after it has acknowledged the commit. */
    private void commit(String... values) {
        long marker = end() + values.length;
        producer.beginTransaction();
        for (String value : values) {
            producer.send(new ProducerRecord<>(topic, value.getBytes(UTF_8)));
        }
        producer.commitTransaction();
        await().until(() -> end() > marker);
    }

    private long end() {
        return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
    }

    /** The pages of a client that follows them to the end, each read by a new scan. */
    private List<List<String>> pages(int max) {
        List<List<String>> pages = new ArrayList<>();
        RecordAt after = null;
        do {
            AdminPage<ConsumerRecord<byte[], byte[]>, RecordAt> page = scan().page(after, max, BYTES_MAX);
            pages.add(values(page.items()));
            after = page.next();
        } while (after != null);
        return pages;
    }

    private TopicScan scan() {
        return new TopicScan(consumer, List.of(topic), null, LIMIT);
    }

    private RecordAt place(long offset) {
        return new RecordAt(topic, 0, offset);
    }

    private static List<String> values(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(record -> new String(record.value(), UTF_8)).toList();
    }
}
