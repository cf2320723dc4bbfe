package dev.ligeiro.processor.intake;

import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.apply.TransientFault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.SendResult;
import org.springframework.stereotype.Component;

/**
 * Puts records aside, as they came, with the reason in headers of plain text. It is done when the broker has them: only then may
 * their offsets be committed.
 */
@Component
class DeadLetterPublisher {

    private final KafkaOperations<byte[], byte[]> kafka;

    DeadLetterPublisher(KafkaOperations<byte[], byte[]> kafka) {
        this.kafka = kafka;
    }

    void publish(List<DeadLetter> deadLetters) {
        if (deadLetters.isEmpty()) {
            return;
        }
        try {
            List<CompletableFuture<SendResult<byte[], byte[]>>> sent = deadLetters.stream()
                    .map(deadLetter -> kafka.send(record(deadLetter)))
                    .toList();
            kafka.flush();
            sent.forEach(CompletableFuture::join);
        } catch (CompletionException | KafkaException | org.apache.kafka.common.KafkaException fault) {
            throw new TransientFault("kafka: dead letters", fault);
        }
    }

    private static ProducerRecord<byte[], byte[]> record(DeadLetter deadLetter) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                Topics.deadLetter(deadLetter.source().topic()),
                deadLetter.source().key(),
                deadLetter.source().value());
        header(record, "reason", deadLetter.reason().code());
        header(record, "detail", deadLetter.detail());
        header(
                record,
                "original-partition",
                Integer.toString(deadLetter.source().partition()));
        header(record, "original-offset", Long.toString(deadLetter.source().offset()));
        return record;
    }

    private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
