package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.support.work.BatchBytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.util.retry.Retry;

/**
 * Processes a batch of records to its end, in parts of limited bytes that follow one another. When it completes, the batch's offsets may be
 * committed.
 *
 * <p>A part that meets an outage of MongoDB or Kafka is tried again without limit, but its attempts are not: a lane makes those whose
 * results are lost. A part that fails for another reason, or takes too long, is halved, down to the record that causes it, which becomes
 * a dead letter. Malformed records are dead letters too. A part whose endpoints are too large together is halved as well, but has not
 * failed: nothing was attempted.
 */
@Component
class ProcessBatch {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessBatch.class);
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);

    private final DispatchEvents dispatchEvents;
    private final DeadLetters deadLetters;
    private final BatchBytes partBytes;
    private final Duration timeout;
    private final Duration retryDelayMax;

    ProcessBatch(
            DispatchEvents dispatchEvents, DeadLetters deadLetters, BatchBytes partBytes, IntakeProperties properties) {
        this.dispatchEvents = dispatchEvents;
        this.deadLetters = deadLetters;
        this.partBytes = partBytes;
        this.timeout = properties.batchTimeout();
        this.retryDelayMax = properties.retryDelayMax();
    }

    Mono<Void> process(EventBatch batch) {
        return Flux.<EventBatch, Integer>generate(() -> 0, (start, parts) -> nextPart(batch, start, parts))
                .concatMap(this::processPart, 0)
                .then()
                .doOnSuccess(done -> partBytes.batchDone());
    }

    /** Emits the part that begins at {@code start}, sized by the limit of now. Returns the start of the next part. */
    private int nextPart(EventBatch batch, int start, SynchronousSink<EventBatch> parts) {
        List<ConsumerRecord<byte[], byte[]>> rest =
                batch.records().subList(start, batch.records().size());
        if (rest.isEmpty()) {
            parts.complete();
            return start;
        }
        List<ConsumerRecord<byte[], byte[]>> next =
                BatchBytes.split(rest, EventBatch::bytes, partBytes.limit()).get(0);
        boolean isWhole = next.size() == batch.records().size();
        parts.next(isWhole ? batch : batch.part(next));
        return start + next.size();
    }

    private Mono<Void> processPart(EventBatch part) {
        return Mono.defer(() -> dispatchEvents.dispatch(part))
                .timeout(timeout)
                .onErrorMap(MongoFaults::classified)
                .doOnSuccess(done -> partBytes.partDone())
                .retryWhen(afterOutages(part))
                .onErrorResume(fault -> isolate(part, fault));
    }

    /** A single record that takes too long has met an outage, because it cannot be halved. */
    private Retry afterOutages(EventBatch part) {
        Duration firstDelay = FIRST_DELAY.compareTo(retryDelayMax) < 0 ? FIRST_DELAY : retryDelayMax;
        return Retry.backoff(Long.MAX_VALUE, firstDelay)
                .maxBackoff(retryDelayMax)
                .filter(fault -> isOutage(fault)
                        || (fault instanceof TimeoutException && part.records().size() == 1))
                .doBeforeRetry(retry -> failed(part, retry.totalRetries() + 1, retry.failure()));
    }

    /** Whether the records are not at fault: MongoDB or Kafka is away, or this process stops. */
    private static boolean isOutage(Throwable fault) {
        return fault instanceof TransientFault || fault instanceof RejectedExecutionException;
    }

    private Mono<Void> isolate(EventBatch part, Throwable fault) {
        if (fault instanceof EndpointStore.TooLarge) {
            return processHalves(part);
        }
        long bytes = part.records().stream().mapToLong(EventBatch::bytes).sum();
        if (fault instanceof TimeoutException) {
            partBytes.partTimedOut(bytes);
        } else {
            partBytes.partFailed(bytes);
        }
        failed(part, 1, fault);
        if (part.records().size() > 1) {
            return processHalves(part);
        }
        DeadLetter alone = DeadLetter.failed(part.records().get(0), fault);
        return Mono.defer(() -> deadLetters.write(List.of(alone))).retryWhen(afterOutages(part));
    }

    private Mono<Void> processHalves(EventBatch part) {
        return Flux.fromIterable(part.halves()).concatMap(this::processPart, 0).then();
    }

    /** The stack trace, which may quote a record, is logged at DEBUG only. */
    private static void failed(EventBatch part, long attempt, Throwable cause) {
        part.repeat();
        LOG.atWarn()
                .addKeyValue("event.action", "batch_failed")
                .addKeyValue("attempt", attempt)
                .addKeyValue("records", part.records().size())
                .addKeyValue(
                        "cause",
                        cause instanceof TransientFault
                                ? cause.getMessage()
                                : cause.getClass().getSimpleName())
                .log("A batch failed and is tried again");
        LOG.atDebug()
                .setCause(cause)
                .addKeyValue("event.action", "batch_failed")
                .log("The exception of the failed batch");
    }
}
