package dev.ligeiro.processor.apply;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.OriginHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends events to Kafka and waits until the broker has acknowledged all of them. An event that is sent again has the same id, so a
 * failed batch can be repeated.
 */
@Component
public class EventPublisher {

    private final BatchSender sender;

    EventPublisher(BatchSender sender) {
        this.sender = sender;
    }

    /** Sends {@code events} in their order, keyed by transaction. Completes when the broker has acknowledged every event. */
    public Mono<Void> publish(List<TransactionEvent> events, Origins origins) {
        return sender.send(events, event -> record(event, origins.of(event)));
    }

    private static ProducerRecord<byte[], byte[]> record(TransactionEvent event, Origin origin) {
        byte[] key = event.transaction().id().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.EVENTS, key, MessageJson.write(event));
        record.headers()
                .add(EventHeaders.TENANT, EventHeaders.value(event.transaction().tenant()))
                .add(EventHeaders.TYPE, EventHeaders.value(event.type()));
        OriginHeaders.add(record.headers(), origin);
        return record;
    }
}
