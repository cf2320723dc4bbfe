package dev.ligeiro.processor.apply;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.SendResult;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sends events to Kafka and waits until the broker has acknowledged all of them. An event that is sent again has the same id, so a
 * failed batch can be repeated.
 */
@Component
public class EventPublisher {

    private final KafkaOperations<byte[], byte[]> kafka;

    EventPublisher(KafkaOperations<byte[], byte[]> kafka) {
        this.kafka = kafka;
    }

    /** Sends {@code events} in their order, keyed by transaction id, with one flush. */
    public Mono<Void> publish(List<TransactionEvent> events) {
        // send and flush block, so they must not run on MongoDB's event loop
        return events.isEmpty()
                ? Mono.empty()
                : Mono.<Void>fromRunnable(() -> sendAll(events)).subscribeOn(Schedulers.boundedElastic());
    }

    private void sendAll(List<TransactionEvent> events) {
        try {
            List<CompletableFuture<SendResult<byte[], byte[]>>> sent =
                    events.stream().map(this::send).toList();
            kafka.flush();
            // flush waits but reports no errors; join throws the error of a failed send
            sent.forEach(CompletableFuture::join);
        } catch (CompletionException | KafkaException | org.apache.kafka.common.KafkaException fault) {
            throw classified(fault);
        }
    }

    private CompletableFuture<SendResult<byte[], byte[]>> send(TransactionEvent event) {
        byte[] key = event.transaction().id().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.EVENTS, key, MessageJson.write(event));
        record.headers()
                .add(EventHeaders.TENANT, EventHeaders.value(event.transaction().tenant()))
                .add(EventHeaders.TYPE, EventHeaders.value(event.eventType()));
        return kafka.send(record);
    }

    private static RuntimeException classified(RuntimeException fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof RecordTooLargeException) {
                return fault;
            }
        }
        return new TransientFault("kafka: " + Topics.EVENTS, fault);
    }
}
