package dev.ligeiro.processor.intake;

import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic from its beginning to its end in each call, unlike {@code TopicReader}, so that a test can see that a record
 * is absent.
 */
final class WholeTopic implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final int FETCH_MAX_WAIT_MILLIS = 20;

    private final String name;
    private final List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();
    private final KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
            Map.of(
                    "bootstrap.servers",
                    TestBrokers.kafkaBootstrapServers(),
                    "allow.auto.create.topics",
                    false,
                    // close() waits for the last fetch, which would wait up to 500 ms for records
                    "fetch.max.wait.ms",
                    FETCH_MAX_WAIT_MILLIS),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());

    WholeTopic(String name) {
        this.name = name;
    }

    /** All records with the transaction's key so far, in their order. */
    List<ConsumerRecord<byte[], byte[]>> records(TransactionId id) {
        assign();
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL).forEach(seen::add);
        }
        String key = id.toString();
        return seen.stream()
                .filter(record -> key.equals(new String(record.key(), StandardCharsets.US_ASCII)))
                .toList();
    }

    private void assign() {
        if (consumer.assignment().isEmpty()) {
            List<TopicPartition> partitions = consumer.partitionsFor(name).stream()
                    .map(partition -> new TopicPartition(name, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
