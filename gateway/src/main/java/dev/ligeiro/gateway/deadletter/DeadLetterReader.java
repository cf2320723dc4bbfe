package dev.ligeiro.gateway.deadletter;

import dev.ligeiro.gateway.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
 * Reads dead letters from Kafka, each time with a new consumer without a group: it commits nothing, so a reader changes nothing. A read
 * ends after {@link #READ_MAX}. It fails with a problem 503 while Kafka is unavailable.
 */
@Component
class DeadLetterReader {

    /** The limit of one read; closing the consumer may take another 2 s ({@code request.timeout.ms}). */
    static final Duration READ_MAX = Duration.ofSeconds(5);

    /** The memory of one page, exceeded by at most one record. */
    private static final int PAGE_BYTES_MAX = 8 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterReader.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    DeadLetterReader(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /**
     * The next dead letters, the oldest first, one partition after the other.
     *
     * @param after the page begins behind this id; null for the beginning of the topic
     */
    Mono<DeadLetterPage> page(DeadLetterTopic topic, @Nullable DeadLetterId after, int max) {
        return onBlockingThread(() -> {
            try (Consumer<byte[], byte[]> consumer = newConsumer()) {
                return new DeadLetterScan(consumer, topic, READ_MAX).page(after, max, PAGE_BYTES_MAX);
            }
        });
    }

    /** The dead letters with these ids, in their order. Ids that do not exist are left out. */
    Mono<List<DeadLetter>> byIds(DeadLetterTopic topic, List<DeadLetterId> ids) {
        return onBlockingThread(() -> {
            try (Consumer<byte[], byte[]> consumer = newConsumer()) {
                return new DeadLetterScan(consumer, topic, READ_MAX).byIds(ids);
            }
        });
    }

    /** With a client id of its own: two clients with one id would register the same JMX bean. */
    private Consumer<byte[], byte[]> newConsumer() {
        return consumers.createConsumer(null, null, "-" + created.incrementAndGet());
    }

    /** The read is not canceled with its request: it ends by itself, and an interrupted consumer would log an error. */
    private static <T> Mono<T> onBlockingThread(Supplier<T> read) {
        Mono<T> onOtherThread = Mono.fromSupplier(read).subscribeOn(Schedulers.boundedElastic());
        return Mono.fromFuture(onOtherThread::toFuture, true)
                .onErrorMap(KafkaException.class, DeadLetterReader::unavailable);
    }

    private static Problem unavailable(KafkaException failure) {
        LOG.atDebug()
                .setCause(failure)
                .addKeyValue("event.action", "dead_letters_unavailable")
                .log("Dead letters could not be read");
        return Problem.unavailable("Kafka is unavailable; nothing was sent", RETRY_AFTER);
    }
}
