package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.transaction.Coded;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Dead letters through the sender, onto a producer that a test controls. */
class DeadLettersTest {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Instant SENT_AT = Instant.parse("2026-11-22T10:15:30.123Z");

    private enum Refused implements Coded {
        UNKNOWN;

        @Override
        public String code() {
            return "unknown";
        }
    }

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {

                /** Spring's template closes its producer after each send; that of a service ignores it. */
                @Override
                public void close(Duration timeout) {}
            };
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final DeadLetters deadLetters = new DeadLetters(
            new BatchSender(new KafkaTemplate<>(() -> producer)), meters, "orders", List.of(Refused.UNKNOWN));

    @Test
    void aDeadLetterHasItsRecordAndItsOrigin() {
        deadLetters
                .write(List.of(DeadLetter.refused(source(), Refused.UNKNOWN)))
                .block(WAIT);

        ProducerRecord<byte[], byte[]> written = producer.history().get(0);
        assertThat(written.topic()).isEqualTo("orders-dlt");
        assertThat(written.partition()).isNull();
        assertThat(text(written.key())).isEqualTo("the key");
        assertThat(text(written.value())).isEqualTo("the value");
        assertThat(headers(written))
                .containsExactly(
                        "own=kept",
                        "reason=unknown",
                        "original-topic=orders",
                        "original-partition=7",
                        "original-offset=42",
                        "original-timestamp=2026-11-22T10:15:30.123Z");
    }

    @Test
    void anInvalidMessageHasThePositionOfItsFault() {
        deadLetters
                .write(List.of(DeadLetter.invalid(source(), invalidMessage())))
                .block(WAIT);

        assertThat(headers(producer.history().get(0)))
                .contains("reason=invalid_message", "exception-class=" + InvalidMessage.class.getName())
                .anyMatch(header -> header.matches("detail=[A-Za-z]+ at offset [0-9]+"));
    }

    /** Only the message of an {@link InvalidMessage} is known to contain no personal data. */
    @Test
    void theMessageOfAnotherExceptionIsNotWritten() {
        IllegalStateException bug = new IllegalStateException("Maria, 529.982.247-25");

        deadLetters.write(List.of(DeadLetter.failed(source(), bug))).block(WAIT);

        assertThat(headers(producer.history().get(0)))
                .contains("reason=failed", "exception-class=java.lang.IllegalStateException")
                .noneMatch(header -> header.contains("Maria"));
    }

    @Test
    void theHeadersOfAnEarlierDeadLetterAreReplaced() {
        ConsumerRecord<byte[], byte[]> again = source();
        again.headers()
                .add("reason", bytes("failed"))
                .add("detail", bytes("older"))
                .add("original-offset", bytes("1"));

        deadLetters.write(List.of(DeadLetter.refused(again, Refused.UNKNOWN))).block(WAIT);

        assertThat(headers(producer.history().get(0)))
                .contains("reason=unknown", "original-offset=42")
                .doesNotContain("reason=failed", "detail=older", "original-offset=1");
    }

    @Test
    void aFailedWriteIsATransientFaultAndIsNotCounted() {
        producer.sendException = new TimeoutException("no broker");

        StepVerifier.create(deadLetters.write(List.of(DeadLetter.refused(source(), Refused.UNKNOWN))))
                .expectErrorSatisfies(fault ->
                        assertThat(fault).isInstanceOf(TransientFault.class).hasMessage("kafka: TimeoutException"))
                .verify(WAIT);

        assertThat(meters.get("ligeiro.dead.letters").counters()).hasSize(3).allMatch(counter -> counter.count() == 0);
    }

    private static InvalidMessage invalidMessage() {
        try {
            MessageJson.readCommand(bytes("{"));
            throw new AssertionError("an open brace is a command");
        } catch (InvalidMessage invalid) {
            return invalid;
        }
    }

    private static ConsumerRecord<byte[], byte[]> source() {
        return new ConsumerRecord<>(
                "orders",
                7,
                42,
                SENT_AT.toEpochMilli(),
                TimestampType.CREATE_TIME,
                7,
                9,
                bytes("the key"),
                bytes("the value"),
                new RecordHeaders().add("own", bytes("kept")),
                Optional.empty());
    }

    private static List<String> headers(ProducerRecord<byte[], byte[]> record) {
        return Arrays.stream(record.headers().toArray())
                .map(DeadLettersTest::line)
                .toList();
    }

    private static String line(Header header) {
        return header.key() + "=" + text(header.value());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aFailedFlushIsATransientFault() {
        SilentBroker kafka = new SilentBroker();
        kafka.flushException = new TimeoutException("late");
        kafka.answer.countDown();

        StepVerifier.create(send(kafka)).expectError(TransientFault.class).verify(WAIT);
    }

    /** Regression: Reactor logged the fault of the interrupted flush with its stack trace, because the caller had canceled. */
    @Test
    void aSendThatIsGivenUpEndsAndLogsNothing() {
        SilentBroker kafka = new SilentBroker();
        try (CapturedLogs logs = new CapturedLogs()) {
            StepVerifier.create(send(kafka).timeout(Duration.ofMillis(100)))
                    .expectError(java.util.concurrent.TimeoutException.class)
                    .verify(WAIT);

            await().atMost(WAIT).until(kafka::hasEndedFlush);
            assertThat(logs.lines()).isEmpty();
        }
    }

    private static Mono<Void> send(SilentBroker kafka) {
        return new BatchSender(new KafkaTemplate<>(() -> kafka))
                .send(List.of("a"), item -> new ProducerRecord<>("orders", new byte[0]));
    }

    /** A broker that acknowledges nothing before the test lets it. */
    private static final class SilentBroker extends MockProducer<byte[], byte[]> {

        private final CountDownLatch answer = new CountDownLatch(1);
        private volatile boolean interrupted;
        private volatile @Nullable Thread sender;

        SilentBroker() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void flush() {
            sender = Thread.currentThread();
            try {
                answer.await();
            } catch (InterruptedException given) {
                interrupted = true;
                throw new InterruptException(given);
            }
            super.flush();
        }

        /** The flush was interrupted, and its thread waits for the next task. */
        boolean hasEndedFlush() {
            Thread thread = sender;
            return interrupted
                    && thread != null
                    && (thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        }

        /** Spring's template closes its producer after each send; that of a service ignores it. */
        @Override
        public void close(Duration timeout) {}
    }
}
