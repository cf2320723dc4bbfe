package dev.ligeiro.support.kafka;

import dev.ligeiro.message.Topics;
import dev.ligeiro.transaction.Coded;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes dead letters to the topic of {@link Topics#deadLetter}: the record with its key, value and headers, plus text headers
 * with the reason and the origin. A record that is too large for that becomes a dead letter without its value and its own headers.
 * The processor creates these topics.
 */
public final class DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    /** Keys of this system have 36 bytes. */
    private static final int KEY_BYTES_MAX = 1_000;

    private final BatchSender sender;
    private final MeterRegistry meters;

    /**
     * @param topic the topic that the service reads
     * @param refusals the reasons of the service itself to refuse a record
     */
    public DeadLetters(BatchSender sender, MeterRegistry meters, String topic, List<? extends Coded> refusals) {
        this.sender = sender;
        this.meters = meters;
        // so that all series exist, with 0, before the first dead letter: an increase from nothing to 1 is none for
        // Prometheus
        Stream.concat(Stream.of(DeadLetter.CommonReason.values()), refusals.stream())
                .forEach(reason -> counter(topic, reason));
    }

    /** Completes when the broker has acknowledged all of them. If it fails, the offsets of the records must not be committed. */
    public Mono<Void> write(List<DeadLetter> deadLetters) {
        return sender.send(deadLetters, DeadLetters::record)
                .onErrorResume(BatchSender::isTooLarge, tooLarge -> writeOneByOne(deadLetters))
                .doOnSuccess(written -> deadLetters.forEach(this::report));
    }

    /** So that only those which are too large lose their content. The others may be written twice. */
    private Mono<Void> writeOneByOne(List<DeadLetter> deadLetters) {
        return Flux.fromIterable(deadLetters)
                .concatMap(deadLetter -> sender.send(List.of(deadLetter), DeadLetters::record)
                        .onErrorResume(
                                BatchSender::isTooLarge,
                                tooLarge -> sender.send(List.of(deadLetter), DeadLetters::recordWithoutContent)))
                .then();
    }

    private static ProducerRecord<byte[], byte[]> record(DeadLetter deadLetter) {
        ConsumerRecord<byte[], byte[]> source = deadLetter.source();
        // no partition: the dead-letter topic has fewer partitions than the record's topic
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                Topics.deadLetter(source.topic()), null, source.key(), source.value(), source.headers());
        describe(record, deadLetter);
        set(record, DeadLetter.DETAIL, deadLetter.detail());
        return record;
    }

    /** Another program may have sent a record that is larger than this service may send, for example a compressed one. */
    private static ProducerRecord<byte[], byte[]> recordWithoutContent(DeadLetter deadLetter) {
        ConsumerRecord<byte[], byte[]> source = deadLetter.source();
        byte[] key = source.key() == null || source.key().length > KEY_BYTES_MAX ? null : source.key();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.deadLetter(source.topic()), key, null);
        describe(record, deadLetter);
        set(
                record,
                DeadLetter.DETAIL,
                "too large, without its content: value of " + Math.max(0, source.serializedValueSize()) + " bytes");
        return record;
    }

    private static void describe(ProducerRecord<byte[], byte[]> record, DeadLetter deadLetter) {
        ConsumerRecord<byte[], byte[]> source = deadLetter.source();
        Throwable fault = deadLetter.fault();
        set(record, DeadLetter.REASON, deadLetter.reason().code());
        set(
                record,
                DeadLetter.EXCEPTION_CLASS,
                fault == null ? null : fault.getClass().getName());
        set(record, DeadLetter.ORIGINAL_TOPIC, source.topic());
        set(record, DeadLetter.ORIGINAL_PARTITION, Integer.toString(source.partition()));
        set(record, DeadLetter.ORIGINAL_OFFSET, Long.toString(source.offset()));
        set(
                record,
                DeadLetter.ORIGINAL_TIMESTAMP,
                Instant.ofEpochMilli(source.timestamp()).toString());
    }

    /** Replaces an older header: a dead letter that an operator has sent to its topic again may become a dead letter again. */
    private static void set(ProducerRecord<byte[], byte[]> record, String name, @Nullable String value) {
        record.headers().remove(name);
        if (value != null) {
            record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void report(DeadLetter deadLetter) {
        ConsumerRecord<byte[], byte[]> source = deadLetter.source();
        counter(source.topic(), deadLetter.reason()).increment();
        LOG.atLevel(deadLetter.reason() == DeadLetter.CommonReason.FAILED ? Level.ERROR : Level.WARN)
                .addKeyValue("event.action", "dead_letter")
                .addKeyValue("topic", source.topic())
                .addKeyValue("partition", source.partition())
                .addKeyValue("offset", source.offset())
                .addKeyValue("reason", deadLetter.reason().code())
                .addKeyValue("cause", thrownAt(deadLetter.fault()))
                .log("A record can never be processed; it is in the dead-letter topic");
        if (deadLetter.fault() != null) {
            LOG.atDebug()
                    .setCause(deadLetter.fault())
                    .addKeyValue("event.action", "dead_letter")
                    .log("The exception of the dead letter");
        }
    }

    private Counter counter(String topic, Coded reason) {
        return Counter.builder("ligeiro.dead.letters")
                .description("Records that can never be processed, by topic and reason")
                .tag("topic", topic)
                .tag("reason", reason.code())
                .register(meters);
    }

    /** Class and line of the exception, without its message, which may quote the record. The stack trace is logged at DEBUG. */
    private static String thrownAt(@Nullable Throwable fault) {
        if (fault == null) {
            return "none";
        }
        StackTraceElement[] trace = fault.getStackTrace();
        return fault.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
