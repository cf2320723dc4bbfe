package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.Problem;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Reads topics, each time with a new consumer without a group: it commits nothing, so a read changes nothing. Fails with a problem 503
 * while Kafka is unavailable.
 */
@Component
class ReadTopics {

    /** The limit of one read; closing the consumer may take another 2 s ({@code request.timeout.ms}). */
    static final Duration READ_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ReadTopics.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    ReadTopics(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /**
     * The result of {@code read}, which has to end within {@link #READ_MAX}. It is not canceled with its request: it ends by itself, and an
     * interrupted consumer would log an error.
     */
    <T> Mono<T> read(Function<Consumer<byte[], byte[]>, T> read) {
        Mono<T> onOtherThread = Mono.fromSupplier(() -> {
                    try (Consumer<byte[], byte[]> consumer = newConsumer()) {
                        return read.apply(consumer);
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
        return Mono.fromFuture(onOtherThread::toFuture, true).onErrorMap(KafkaException.class, ReadTopics::unavailable);
    }

    /** With a client id of its own: two clients with one id would register the same JMX bean. */
    private Consumer<byte[], byte[]> newConsumer() {
        return consumers.createConsumer(null, null, "-" + created.incrementAndGet());
    }

    private static Problem unavailable(KafkaException failure) {
        LOG.atDebug()
                .setCause(failure)
                .addKeyValue("event.action", "topics_unavailable")
                .log("Topics could not be read");
        return Problem.unavailable("Kafka is unavailable; nothing was changed", RETRY_AFTER);
    }
}
