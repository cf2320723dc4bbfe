package dev.ligeiro.processor.rail;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionCommand;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.core.KafkaTemplate;

/** The door for notifications with a producer that keeps its records. */
public final class RecordedNotices {

    /** When all are sent. */
    public static final Instant AT = Instant.parse("2026-03-10T14:31:00Z");

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                /** The template closes the producer after each send. */
                @Override
                public void close(Duration timeout) {}
            };

    public RailCommandPublisher door() {
        return new RailCommandPublisher(new KafkaTemplate<>(() -> producer), Clock.fixed(AT, ZoneOffset.UTC));
    }

    /** The published commands, in their order. */
    public List<TransactionCommand> published() {
        return producer.history().stream()
                .map(record -> MessageJson.readCommand(record.value()))
                .toList();
    }
}
