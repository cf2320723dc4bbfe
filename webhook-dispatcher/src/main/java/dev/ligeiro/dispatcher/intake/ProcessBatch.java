package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

/**
 * Processes a batch of records to its end. A malformed record becomes a dead letter. Any other failure is treated as an outage of
 * MongoDB or Kafka: the batch is tried again without limit, but its attempts are not: a lane makes those whose results are lost. When it
 * completes, its offsets may be committed.
 */
@Component
class ProcessBatch {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessBatch.class);
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);

    private final DispatchEvents dispatchEvents;
    private final DeadLetters deadLetters;
    private final Duration timeout;
    private final Duration retryDelayMax;

    ProcessBatch(DispatchEvents dispatchEvents, DeadLetters deadLetters, IntakeProperties properties) {
        this.dispatchEvents = dispatchEvents;
        this.deadLetters = deadLetters;
        this.timeout = properties.batchTimeout();
        this.retryDelayMax = properties.retryDelayMax();
    }

    Mono<Void> process(Batch batch) {
        Duration firstDelay = FIRST_DELAY.compareTo(retryDelayMax) < 0 ? FIRST_DELAY : retryDelayMax;
        return Mono.defer(() -> attempt(batch))
                .timeout(timeout)
                .retryWhen(Retry.backoff(Long.MAX_VALUE, firstDelay)
                        .maxBackoff(retryDelayMax)
                        .doBeforeRetry(retry -> {
                            log(retry, batch.records().size());
                            batch.repeat();
                        }));
    }

    private Mono<Void> attempt(Batch batch) {
        List<ReceivedEvent> received = new ArrayList<>(batch.records().size());
        List<DeadLetter> invalid = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            try {
                received.add(ReceivedEvent.of(record));
            } catch (InvalidMessage fault) {
                invalid.add(DeadLetter.invalid(record, fault));
            }
        }
        List<DeadLetter> unwritten = batch.unwritten(invalid);
        return deadLetters
                .write(unwritten)
                .doOnSuccess(done -> batch.written(unwritten))
                .then(received.isEmpty() ? Mono.empty() : dispatchEvents.dispatch(batch, received));
    }

    /** The stack trace, which may quote a record, is logged at DEBUG only. */
    private static void log(RetrySignal retry, int records) {
        Throwable cause = retry.failure();
        LOG.atWarn()
                .addKeyValue("event.action", "batch_failed")
                .addKeyValue("attempt", retry.totalRetries() + 1)
                .addKeyValue("records", records)
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
