package dev.ligeiro.processor.apply;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.scheduler.Schedulers;

/**
 * Sends the outcome of a rail call that was made outside of a batch as a command. An outcome that Kafka does not take is not lost: the
 * rail call becomes due, and the rail is asked again.
 */
@Component
public class RailAnswerPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(RailAnswerPublisher.class);

    private final KafkaTemplate<byte[], byte[]> kafka;

    RailAnswerPublisher(KafkaTemplate<byte[], byte[]> kafka) {
        this.kafka = kafka;
    }

    /**
     * Returns at once. The producer may block while it looks for a broker, so it runs on a thread that may block.
     *
     * @param origin of the command that caused the call
     */
    public void publishWhenDone(
            TransactionId id,
            RailRequest request,
            Instant askedAt,
            CompletableFuture<RailOutcome> outcome,
            Origin origin) {
        outcome.thenAcceptAsync(
                answer -> send(
                        new TransactionCommand.RailAnswer(
                                id,
                                request.refund(),
                                request.call(),
                                request.submission(),
                                request.sequence(),
                                askedAt,
                                answer),
                        origin),
                Schedulers.boundedElastic()::schedule);
    }

    private void send(TransactionCommand.RailAnswer answer, Origin origin) {
        byte[] key = answer.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(answer));
        OriginHeaders.add(record.headers(), origin);
        try {
            kafka.send(record).whenComplete((sent, failure) -> {
                if (failure != null) {
                    lost(answer, failure);
                }
            });
        } catch (RuntimeException failure) {
            lost(answer, failure);
        }
    }

    private static void lost(TransactionCommand.RailAnswer answer, Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "rail_answer_lost")
                .addKeyValue("transaction_id", answer.transactionId())
                .addKeyValue("outcome", answer.outcome().code())
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("Kafka did not take a rail's answer; the rail is asked again when the call is due");
    }
}
