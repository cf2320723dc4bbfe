package dev.ligeiro.dispatcher;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The topic of events, to which a test publishes as the processor does, and its dead letters. */
public final class TestEvents implements AutoCloseable {

    static final int PARTITIONS = 3;

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of(
                    "bootstrap.servers",
                    TestBrokers.kafkaBootstrapServers(),
                    "linger.ms",
                    "0",
                    "compression.type",
                    "lz4"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private @Nullable TopicReader deadLetters;

    /** Creates the topic of events and its dead-letter topic, as the processor does. */
    public void createTopic() {
        TestTopics.create(Topics.EVENTS, PARTITIONS);
        TestTopics.create(Topics.deadLetter(Topics.EVENTS), 1);
    }

    public void deleteTopic() {
        TestTopics.delete(Topics.EVENTS);
    }

    public static List<Header> headers(Tenant tenant, EventType type) {
        return List.of(
                new RecordHeader(EventHeaders.TENANT, EventHeaders.value(tenant)),
                new RecordHeader(EventHeaders.TYPE, EventHeaders.value(type)));
    }

    /** Publishes an event, as the processor does. */
    public void publish(TransactionEvent event) {
        publish(
                event.transaction().id().toString().getBytes(),
                MessageJson.write(event),
                headers(event.transaction().tenant(), event.type()));
    }

    /** Publishes an event that a request has caused. */
    public void publish(TransactionEvent event, Origin origin) {
        RecordHeaders headers = new RecordHeaders(headers(event.transaction().tenant(), event.type()));
        OriginHeaders.add(headers, origin);
        publish(event.transaction().id().toString().getBytes(), MessageJson.write(event), List.of(headers.toArray()));
    }

    public void publish(byte[] key, byte[] value, List<Header> headers) {
        send(new ProducerRecord<>(Topics.EVENTS, null, key, value, headers));
    }

    void publishToEachPartition(TransactionEvent event) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            send(new ProducerRecord<>(
                    Topics.EVENTS,
                    partition,
                    "any".getBytes(),
                    MessageJson.write(event),
                    headers(event.transaction().tenant(), event.type())));
        }
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get(TestEnvironment.WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The dead letters with this key, the oldest first. */
    public List<ConsumerRecord<byte[], byte[]>> deadLetters(String key) {
        if (deadLetters == null) {
            deadLetters = TopicReader.fromTheBeginning(Topics.deadLetter(Topics.EVENTS));
        }
        return deadLetters.records(key);
    }

    @Override
    public void close() {
        if (deadLetters != null) {
            deadLetters.close();
        }
        producer.close();
    }
}
