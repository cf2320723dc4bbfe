package dev.ligeiro.processor.rail;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.OriginHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sends to Kafka what a rail says outside of a batch, as a command of its transaction. */
@Component
public class RailCommandPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(RailCommandPublisher.class);

    private final KafkaTemplate<byte[], byte[]> kafka;
    private final Clock clock;

    RailCommandPublisher(KafkaTemplate<byte[], byte[]> kafka, Clock clock) {
        this.kafka = kafka;
        this.clock = clock;
    }

    /**
     * Sends the answer to a call when it comes; returns at once. An answer that Kafka does not take is not lost: the rail call becomes
     * due, and the rail is asked again.
     *
     * @param origin of the command that caused the call
     */
    public void publishWhenDone(CompletableFuture<TransactionCommand.RailAnswer> coming, Origin origin) {
        Mono.fromFuture(coming)
                .flatMap(answer -> send(answer, origin).doOnError(failure -> LOG.atWarn()
                        .addKeyValue("event.action", "rail_answer_lost")
                        .addKeyValue("transaction_id", answer.transactionId())
                        .addKeyValue("outcome", answer.outcome().code())
                        .addKeyValue("cause", failure.getClass().getSimpleName())
                        .log("Kafka did not take a rail's answer; the rail is asked again when the call is due")))
                .onErrorComplete()
                .subscribe();
    }

    /**
     * Sends a rail's own report. It is only a hint: the processor asks the rail before anything changes. Completes when Kafka has the
     * report. It fails when Kafka does not take it; the caller then makes the rail report again, because the report may be the only trace
     * of the money.
     */
    public Mono<Void> publish(TransactionCommand.RailNotice notice) {
        return send(notice.sentAt(clock.instant()), Origin.NONE);
    }

    /** Sends that MongoDB has something new about a dispute. Fails when Kafka does not take it; the caller then sends it again. */
    public Mono<Void> publish(TransactionCommand.DisputeReport report) {
        return send(report, Origin.NONE);
    }

    private Mono<Void> send(TransactionCommand command, Origin origin) {
        byte[] key = command.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(command));
        OriginHeaders.add(record.headers(), origin);
        // the producer may block while it looks for a broker
        return Mono.fromCallable(() -> kafka.send(record))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(Mono::fromFuture)
                .then();
    }
}
