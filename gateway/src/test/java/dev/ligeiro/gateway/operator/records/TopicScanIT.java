package dev.ligeiro.gateway.operator.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

/** A topic whose records Kafka deletes, as after 30 days. */
class TopicScanIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final String topic = "topic-scan-" + UUID.randomUUID();
    private final KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumerSettings());
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());

    /** Those of the gateway. */
    static Map<String, Object> consumerSettings() {
        Map<String, Object> settings =
                new HashMap<>(Settings.ofYaml(KafkaProperties.class).buildConsumerProperties());
        settings.put("bootstrap.servers", TestBrokers.kafkaBootstrapServers());
        return settings;
    }

    @BeforeEach
    void create() {
        TestTopics.create(topic, 1);
    }

    @AfterEach
    void close() {
        producer.close();
        consumer.close();
        TestTopics.delete(topic);
    }

    @Test
    void placesWithoutARecordAreLeftOut() {
        send("a", "b", "c");

        assertThat(values(scan(topic).at(List.of(place(0), place(2), place(3), new RecordPlace(7, 0)))))
                .containsExactly("a", "c");
    }

    @Test
    void aTopicThatDoesNotExistHasNoRecords() {
        assertThat(scan("topic-scan-none").page(null, 10)).isEqualTo(new AdminPage<>(List.of(), null));
        assertThat(scan("topic-scan-none").at(List.of(place(0)))).isEmpty();
    }

    @Test
    void aTopicWhoseRecordsAreAllDeletedHasOneEmptyPage() {
        send("a", "b");
        TestTopics.deleteRecords(topic);

        assertThat(pages(10)).containsExactly(List.of());
    }

    @Test
    void recordsThatAreDeletedDuringAScanAreSkipped() {
        send("a", "b");
        TopicScan scan = scan(topic);
        TestTopics.deleteRecords(topic);
        send("c");

        assertThat(scan.page(null, 10))
                .as("the scan ends where it ended before")
                .isEqualTo(new AdminPage<>(List.of(), null));
        assertThat(pages(10)).containsExactly(List.of("c"));
    }

    @Test
    void aRecordThatIsDeletedDuringAScanIsNotFound() {
        send("a", "b");
        TopicScan scan = scan(topic);
        TestTopics.deleteRecords(topic);

        assertThat(scan.at(List.of(place(1)))).isEmpty();
    }

    private void send(String... values) {
        for (String value : values) {
            producer.send(new ProducerRecord<>(topic, value.getBytes(UTF_8)));
        }
        producer.flush();
    }

    /** The pages of a client that follows them to the end, each read by a new scan. */
    private List<List<String>> pages(int max) {
        List<List<String>> pages = new ArrayList<>();
        RecordPlace after = null;
        do {
            AdminPage<ConsumerRecord<byte[], byte[]>, RecordPlace> page =
                    scan(topic).page(after, max);
            pages.add(values(page.items()));
            after = page.next();
        } while (after != null);
        return pages;
    }

    private TopicScan scan(String from) {
        return new TopicScan(consumer, from, null, LIMIT);
    }

    private static RecordPlace place(long offset) {
        return new RecordPlace(0, offset);
    }

    private static List<String> values(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(record -> new String(record.value(), UTF_8)).toList();
    }
}
