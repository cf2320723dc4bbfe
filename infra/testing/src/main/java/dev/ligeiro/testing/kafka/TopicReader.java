package dev.ligeiro.testing.kafka;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.brokers.TestBrokers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all partitions of one existing topic in its own thread until it is closed. */
public final class TopicReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final int FETCH_MAX_WAIT_MILLIS = 20;
    private static final Queue<ConsumerRecord<byte[], byte[]>> NONE = new ConcurrentLinkedQueue<>();
    private static final Duration END_WITHIN = Duration.ofSeconds(20);

    private final String topic;
    private final Queue<ConsumerRecord<byte[], byte[]>> records = new ConcurrentLinkedQueue<>();
    private final Map<String, Queue<ConsumerRecord<byte[], byte[]>>> byKey = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> positions = new ConcurrentHashMap<>();
    private final KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
            Map.of(
                    "bootstrap.servers",
                    TestBrokers.kafkaBootstrapServers(),
                    "allow.auto.create.topics",
                    false,
                    "reconnect.backoff.max.ms",
                    "200",
                    // close() waits for the last fetch, which would wait up to 500 ms for records
                    "fetch.max.wait.ms",
                    FETCH_MAX_WAIT_MILLIS),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    private final Thread thread;

    private TopicReader(String topic) {
        this.topic = topic;
        this.thread = new Thread(this::read, "reader-of-" + topic);
    }

    /** Reads the records that are written after this call. */
    public static TopicReader fromNow(String topic) {
        TopicReader reader = new TopicReader(topic);
        List<TopicPartition> partitions = reader.assign();
        reader.consumer.seekToEnd(partitions);
        partitions.forEach(partition -> reader.positions.put(partition, reader.consumer.position(partition)));
        reader.thread.start();
        return reader;
    }

    /** Reads all records of the topic. */
    public static TopicReader fromTheBeginning(String topic) {
        TopicReader reader = new TopicReader(topic);
        reader.consumer.seekToBeginning(reader.assign());
        reader.thread.start();
        return reader;
    }

    private List<TopicPartition> assign() {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            consumer.close();
            throw new IllegalStateException("topic: " + topic + " does not exist");
        }
        consumer.assign(partitions);
        return partitions;
    }

    private void read() {
        try (consumer) {
            while (true) {
                consumer.poll(POLL).forEach(this::add);
                consumer.assignment().forEach(partition -> positions.put(partition, consumer.position(partition)));
            }
        } catch (WakeupException closed) {
            // close() was called
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        records.add(record);
        byKey.computeIfAbsent(text(record.key()), key -> new ConcurrentLinkedQueue<>())
                .add(record);
    }

    /** Returns when all records are read that are in the topic now. Then a record that is not here was not written. */
    public TopicReader toTheEnd() {
        Map<TopicPartition, Long> ends = ConsumerGroups.ends(topic);
        await().atMost(END_WITHIN).until(() -> ends.entrySet().stream()
                .allMatch(end -> positions.getOrDefault(end.getKey(), 0L) >= end.getValue()));
        return this;
    }

    /** The records read so far, in order within a partition. */
    public List<ConsumerRecord<byte[], byte[]>> records() {
        return List.copyOf(records);
    }

    /** The records read so far with this key, in order. */
    public List<ConsumerRecord<byte[], byte[]>> records(String key) {
        return List.copyOf(byKey.getOrDefault(key, NONE));
    }

    /** The last header of this name as text. */
    public static Optional<String> header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? Optional.empty() : Optional.of(text(header.value()));
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
