package dev.ligeiro.support.kafka;

import dev.ligeiro.support.TransientFault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.SendResult;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sends a batch of records and waits until the broker has acknowledged each of them. */
public final class BatchSender {

    private final KafkaOperations<byte[], byte[]> kafka;

    BatchSender(KafkaOperations<byte[], byte[]> kafka) {
        this.kafka = kafka;
    }

    /**
     * Sends one record for each item, in their order. Completes when the broker has acknowledged all of them. Fails with a
     * {@link TransientFault} if the batch may be sent again; some of its records may have arrived. Fails with another exception
     * if a record is too large.
     */
    public <T> Mono<Void> send(List<T> items, Function<T, ProducerRecord<byte[], byte[]>> record) {
        return items.isEmpty() ? Mono.empty() : sendAndLocate(items, record).then();
    }

    /** Like {@link #send}, for at least one item. The highest offset of the records in each partition that got some. */
    public <T> Mono<Map<Integer, Long>> sendAndLocate(
            List<T> items, Function<T, ProducerRecord<byte[], byte[]>> record) {
        // send and flush block, so they must not run on an event loop
        return Mono.fromSupplier(() -> outcome(items, record))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(outcome -> outcome);
    }

    /**
     * Returns a failure instead of throwing it. When the caller cancels, the send is interrupted and fails: Reactor would log a thrown
     * exception with its stack trace, because it has no receiver, but drops a value.
     */
    private <T> Mono<Map<Integer, Long>> outcome(List<T> items, Function<T, ProducerRecord<byte[], byte[]>> record) {
        try {
            return Mono.just(sendAndWait(items, record));
        } catch (RuntimeException fault) {
            return Mono.error(fault);
        }
    }

    private <T> Map<Integer, Long> sendAndWait(List<T> items, Function<T, ProducerRecord<byte[], byte[]>> record) {
        try {
            List<CompletableFuture<SendResult<byte[], byte[]>>> sent =
                    items.stream().map(item -> kafka.send(record.apply(item))).toList();
            kafka.flush();
            // the flush completes every send; join throws the exception of a failed one
            return sent.stream()
                    .map(one -> one.join().getRecordMetadata())
                    .collect(Collectors.toMap(RecordMetadata::partition, RecordMetadata::offset, Math::max));
        } catch (CompletionException | KafkaException | org.apache.kafka.common.KafkaException fault) {
            throw isTooLarge(fault)
                    ? fault
                    : new TransientFault(
                            "kafka: "
                                    + NestedExceptionUtils.getMostSpecificCause(fault)
                                            .getClass()
                                            .getSimpleName(),
                            fault);
        }
    }

    /** Whether {@link #send} failed with this fault because a record is too large. */
    static boolean isTooLarge(Throwable fault) {
        return NestedExceptionUtils.getMostSpecificCause(fault) instanceof RecordTooLargeException;
    }
}
