package dev.ligeiro.processor.apply;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.BatchSender;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Sends book events beside the events of transactions. */
@Component
public class BookEventSender {

    private final BatchSender sender;

    BookEventSender(BatchSender sender) {
        this.sender = sender;
    }

    /** Completes when Kafka has all of them; fails with a {@link TransientFault} if they may be sent again. */
    public Mono<Void> send(List<BookEvent> events) {
        return sender.send(events, BookEventSender::record);
    }

    private static ProducerRecord<byte[], byte[]> record(BookEvent event) {
        byte[] key = event.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.EVENTS, key, MessageJson.write(event));
        record.headers()
                .add(EventHeaders.TENANT, EventHeaders.value(event.tenant()))
                .add(EventHeaders.TYPE, EventHeaders.value(event.type()));
        return record;
    }
}
