package dev.ligeiro.processor.rail;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import java.nio.charset.StandardCharsets;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sends a rail's own report to Kafka, as a command of its transaction. The report is only a hint: the processor asks the rail before
 * anything changes.
 */
@Component
public class RailNoticePublisher {

    private final KafkaTemplate<byte[], byte[]> kafka;

    RailNoticePublisher(KafkaTemplate<byte[], byte[]> kafka) {
        this.kafka = kafka;
    }

    /**
     * Completes when Kafka has the report. It fails when Kafka does not take it; the caller then makes the rail report again, because
     * the report may be the only trace of the money.
     */
    public Mono<Void> publish(TransactionCommand.RailNotice notice) {
        byte[] key = notice.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        // the producer may block while it looks for a broker
        return Mono.fromCallable(() -> kafka.send(Topics.COMMANDS, key, MessageJson.write(notice)))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(Mono::fromFuture)
                .then();
    }
}
