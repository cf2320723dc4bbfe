package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.support.TransientFault;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class BatchSenderTest {

    private static final Duration WAIT = Duration.ofSeconds(60);

    @Test
    void aFailedFlushIsATransientFault() {
        SilentBroker kafka = new SilentBroker();
        kafka.flushException = new org.apache.kafka.common.errors.TimeoutException("late");
        kafka.answer.countDown();

        StepVerifier.create(send(kafka)).expectError(TransientFault.class).verify(WAIT);
    }

    /** Regression: Reactor logged the fault of the interrupted flush with its stack trace, because the caller had canceled. */
    @Test
    void aSendThatIsGivenUpEndsAndLogsNothing() {
        SilentBroker kafka = new SilentBroker();
        try (CapturedLogs logs = new CapturedLogs()) {
            StepVerifier.create(send(kafka).timeout(Duration.ofMillis(100)))
                    .expectError(TimeoutException.class)
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
