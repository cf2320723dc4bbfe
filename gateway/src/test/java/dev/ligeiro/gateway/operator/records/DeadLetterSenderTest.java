package dev.ligeiro.gateway.operator.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;

/** The sender on a producer that a test controls. */
class DeadLetterSenderTest {

    private static final Duration WAIT = Duration.ofSeconds(5);

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {

                /** Spring's template closes its producer after each send; that of a service ignores it. */
                @Override
                public void close(Duration timeout) {}
            };
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final DeadLetterSender sender = new DeadLetterSender(new KafkaTemplate<>(() -> producer), meters);
    private final List<DeadLetterRecord> deadLetters = List.of(deadLetter("a"), deadLetter("b"), deadLetter("c"));

    @Test
    void onlyAcknowledgedDeadLettersAreConfirmedAndCounted() {
        CompletableFuture<List<DeadLetterRecord>> confirmed = start();
        await().until(() -> producer.history().size() == 3);

        producer.completeNext();
        producer.errorNext(new TimeoutException("no broker"));
        assertThat(confirmed).isNotDone();
        producer.completeNext();

        assertThat(confirmed).succeedsWithin(WAIT).isEqualTo(List.of(deadLetters.get(0), deadLetters.get(2)));
        assertThat(counted("transaction-commands")).isEqualTo(2);
        assertThat(counted("transaction-events")).isZero();
    }

    @Test
    void afterARefusedSendNoFurtherOneIsTried() {
        producer.sendException = new TimeoutException("no metadata");

        assertThat(start()).succeedsWithin(WAIT).isEqualTo(List.of());
        assertThat(producer.history()).isEmpty();
        assertThat(counted("transaction-commands")).isZero();
    }

    private CompletableFuture<List<DeadLetterRecord>> start() {
        return sender.send(DeadLetterTopic.COMMANDS, deadLetters).toFuture();
    }

    private double counted(String topic) {
        return meters.get("ligeiro.dead.letters.redriven")
                .tag("topic", topic)
                .counter()
                .count();
    }

    private static DeadLetterRecord deadLetter(String key) {
        return DeadLetterRecordTest.deadLetter(
                DeadLetterRecordTest.bytes(key), DeadLetterRecordTest.bytes("value"), new RecordHeaders());
    }
}
