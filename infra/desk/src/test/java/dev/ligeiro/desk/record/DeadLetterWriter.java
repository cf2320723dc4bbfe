package dev.ligeiro.desk.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes dead letters with the headers of {@code DeadLetters}. */
final class DeadLetterWriter implements AutoCloseable {

    static final String ORIGIN_AT = "2026-11-21T10:15:30.123Z";
    static final String VALUE = "{\"name\":\"Maria Silva\",\"document\":\"52998224725\"";

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers(), "linger.ms", "5"),
            new ByteArraySerializer(),
            new ByteArraySerializer());

    DeadLetterWriter() {
        for (DeadLetterTopic topic : DeadLetterTopic.values()) {
            TestTopics.create(topic.code(), 3);
            TestTopics.create(Topics.deadLetter(topic.code()), 1);
        }
    }

    /** The id of the new dead letter. */
    String write(DeadLetterTopic topic, String key, String reason) {
        try {
            RecordMetadata written = start(topic, key, reason).get();
            return written.partition() + "-" + written.offset();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Writes a dead letter without waiting for Kafka. */
    Future<RecordMetadata> start(DeadLetterTopic topic, String key, String reason) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(Topics.deadLetter(topic.code()), key.getBytes(UTF_8), VALUE.getBytes(UTF_8));
        add(record, "tenant", "42");
        add(record, DeadLetter.REASON, reason);
        add(record, DeadLetter.DETAIL, "StreamReadException at offset 17");
        add(record, DeadLetter.EXCEPTION_CLASS, "dev.ligeiro.message.InvalidMessage");
        add(record, DeadLetter.ORIGINAL_TOPIC, topic.code());
        add(record, DeadLetter.ORIGINAL_PARTITION, "2");
        add(record, DeadLetter.ORIGINAL_OFFSET, "4711");
        add(record, DeadLetter.ORIGINAL_TIMESTAMP, ORIGIN_AT);
        return producer.send(record);
    }

    void flush() {
        producer.flush();
    }

    private static void add(ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, value.getBytes(UTF_8));
    }

    @Override
    public void close() {
        producer.close();
    }
}
