package dev.ligeiro.processor.apply;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends records, whose keys are the ids of their transactions. Each method completes when Kafka has all of them; it fails with a
 * {@link TransientFault} if they may be sent again.
 */
@Component
public class RecordPublisher {

    private final BatchSender sender;

    RecordPublisher(BatchSender sender) {
        this.sender = sender;
    }

    public Mono<Void> events(List<TransactionEvent> events, Origins origins) {
        return sender.send(events, event -> {
            ProducerRecord<byte[], byte[]> record = event(
                    event.transaction().id(),
                    event.transaction().tenant(),
                    EventHeaders.value(event.type()),
                    MessageJson.write(event));
            OriginHeaders.add(record.headers(), origins.of(event));
            return record;
        });
    }

    /** What the books are told beside the events of transactions. */
    public Mono<Void> bookEvents(List<BookEvent> events) {
        return sender.send(
                events,
                event -> event(
                        event.transactionId(),
                        event.tenant(),
                        EventHeaders.value(event.type()),
                        MessageJson.write(event)));
    }

    private static ProducerRecord<byte[], byte[]> event(TransactionId id, Tenant tenant, byte[] type, byte[] value) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.EVENTS, key(id), value);
        record.headers().add(EventHeaders.TENANT, EventHeaders.value(tenant)).add(EventHeaders.TYPE, type);
        return record;
    }

    public Mono<Void> commands(List<TransactionCommand> commands, Origins origins) {
        return sender.send(commands, command -> {
            ProducerRecord<byte[], byte[]> record = record(command);
            OriginHeaders.add(record.headers(), origins.of(command.transactionId()));
            return record;
        });
    }

    /** A command without an origin. */
    public static ProducerRecord<byte[], byte[]> record(TransactionCommand command) {
        return new ProducerRecord<>(Topics.COMMANDS, key(command.transactionId()), MessageJson.write(command));
    }

    private static byte[] key(TransactionId id) {
        return id.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
