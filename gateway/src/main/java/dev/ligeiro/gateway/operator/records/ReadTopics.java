package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
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
    private static final Duration READ_MAX = Duration.ofSeconds(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ConsumerFactory<byte[], byte[]> consumers;
    private final AtomicInteger created = new AtomicInteger();

    ReadTopics(ConsumerFactory<byte[], byte[]> consumers) {
        this.consumers = consumers;
    }

    /**
     * The result of {@code read}. It is not canceled with its request: it ends by itself, and an interrupted consumer would log an error.
     *
     * @param since each partition begins with its first record of this time or later; null for all records
     */
    <T> Mono<T> read(String topic, @Nullable Instant since, Function<TopicScan, T> read) {
        Mono<T> onOtherThread = Mono.fromSupplier(() -> {
                    try (Consumer<byte[], byte[]> consumer = newConsumer()) {
                        return read.apply(new TopicScan(consumer, topic, since, READ_MAX));
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
        return Mono.fromFuture(onOtherThread::toFuture, true)
                .onErrorMap(
                        KafkaException.class,
                        away -> Problem.unavailable("Kafka is unavailable; nothing was changed", RETRY_AFTER, away));
    }

    /** With a client id of its own: two clients with one id would register the same JMX bean. */
    private Consumer<byte[], byte[]> newConsumer() {
        return consumers.createConsumer(null, null, "-" + created.incrementAndGet());
    }
}
