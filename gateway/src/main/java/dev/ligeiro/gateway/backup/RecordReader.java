package dev.ligeiro.gateway.backup;

import dev.ligeiro.gateway.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Reads commands and events from Kafka, each time with a new consumer without a group: it commits nothing, so a reader changes
 * nothing. Fails with a problem 503 while Kafka is unavailable.
 */
@Component
class RecordReader {

    /** The limit of one read; closing the consumer may take another 2 s ({@code request.timeout.ms}). */
    static final Duration READ_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    RecordReader(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /** @param after the page begins behind it; null for the first page */
    Mono<RecordPage> page(Instant since, @Nullable RecordPosition after, int max) {
        Mono<RecordPage> read = Mono.fromSupplier(() -> {
                    try (Consumer<byte[], byte[]> consumer = newConsumer()) {
                        return new RecordScan(consumer, since, READ_MAX).page(after, max);
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
        // not canceled with its request: it ends by itself, and an interrupted consumer would log an error
        return Mono.fromFuture(read::toFuture, true).onErrorMap(KafkaException.class, RecordReader::unavailable);
    }

    /** With a client id of its own: two clients with one id would register the same JMX bean. */
    private Consumer<byte[], byte[]> newConsumer() {
        return consumers.createConsumer(null, null, "-after-backup-" + created.incrementAndGet());
    }

    private static Problem unavailable(KafkaException failure) {
        LOG.atDebug()
                .setCause(failure)
                .addKeyValue("event.action", "after_backup_unavailable")
                .log("Commands and events could not be read");
        return Problem.unavailable("Kafka is unavailable", RETRY_AFTER);
    }
}
