package dev.ligeiro.processor.intake;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.apply.BookEventSender;
import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Reports what a batch has done, when its changes are stored: replaces the versions of the changed time buckets, records unmatched
 * payments, then sends the events. So a merchant that lists transactions after an event does not get a count from before it. The versions
 * are first because an unmatched payment or an event may be refused for ever, and its command becomes a dead letter although its change
 * is stored.
 */
@Component
class FinishBatch {

    private final UnmatchedPaymentStore unmatched;
    private final BucketVersionStore versions;
    private final BookEventSender books;
    private final BatchSender sender;

    FinishBatch(
            UnmatchedPaymentStore unmatched, BucketVersionStore versions, BookEventSender books, BatchSender sender) {
        this.unmatched = unmatched;
        this.versions = versions;
        this.books = books;
        this.sender = sender;
    }

    /**
     * Completes when every version is replaced, every unmatched payment stored and every event acknowledged. It may be repeated: an event
     * that is sent again has the same id.
     *
     * @param again commands that the batch could not carry out
     */
    Mono<Void> finish(Batch batch, List<TransactionCommand> again, Origins origins) {
        List<TransactionEvent> announced = batch.events();
        return versions.replace(announced, origins)
                .then(unmatched.record(batch.unmatched()))
                .then(books.send(batch.bookEvents()))
                .then(sender.send(announced, event -> record(event, origins.of(event))))
                .then(sender.send(again, command -> record(command, origins.of(command.transactionId()))));
    }

    /**
     * Fails with the fault of a batch, after replacing the versions of what its bulks have changed so far. Its command becomes a dead
     * letter, so nothing else replaces them.
     *
     * @param batch with the changes that are stored
     */
    Mono<Batch> fail(Batch batch, Origins origins, Throwable fault) {
        return versions.replace(batch.events(), origins).then(Mono.error(fault));
    }

    private static byte[] key(TransactionId id) {
        return id.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static ProducerRecord<byte[], byte[]> record(TransactionCommand command, Origin origin) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(Topics.COMMANDS, key(command.transactionId()), MessageJson.write(command));
        OriginHeaders.add(record.headers(), origin);
        return record;
    }

    private static ProducerRecord<byte[], byte[]> record(TransactionEvent event, Origin origin) {
        byte[] key = key(event.transaction().id());
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.EVENTS, key, MessageJson.write(event));
        record.headers()
                .add(EventHeaders.TENANT, EventHeaders.value(event.transaction().tenant()))
                .add(EventHeaders.TYPE, EventHeaders.value(event.type()));
        OriginHeaders.add(record.headers(), origin);
        return record;
    }
}
