package dev.ligeiro.processor.due;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.BatchSender;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Sends commands for due rows, then saves the progress. After a crash between the two the next holder sends one batch again. */
@Component
class SendLooks {

    private final BatchSender sender;
    private final DueLeaseStore store;
    private final DueMetrics metrics;

    SendLooks(BatchSender sender, DueLeaseStore store, DueMetrics metrics) {
        this.sender = sender;
        this.store = store;
        this.metrics = metrics;
    }

    /**
     * Completes when Kafka has confirmed every command and the progress is saved.
     *
     * @param moved the progress behind these rows
     */
    Mono<DueProgress> send(List<DueRow> rows, DueProgress moved) {
        return sender.sendTimed(rows, SendLooks::record)
                .map(appendedAt -> moved.sent(rows.size(), appendedAt))
                .flatMap(sent -> store.save(sent).thenReturn(sent))
                .doOnNext(saved -> metrics.sent(rows.size()));
    }

    private static ProducerRecord<byte[], byte[]> record(DueRow row) {
        byte[] key = row.id().toString().getBytes(StandardCharsets.US_ASCII);
        return new ProducerRecord<>(
                Topics.COMMANDS, key, MessageJson.write(new TransactionCommand.Look(row.id(), row.due())));
    }
}
