package dev.ligeiro.gateway.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.publish.CommandPublisher.CausedCommand;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.SendResult;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

class CommandPublisherTest {

    private final BlockingKafka kafka = new BlockingKafka();
    private final CommandPublisher publisher = new CommandPublisher(kafka, new SimpleMeterRegistry());

    @AfterEach
    void stop() {
        kafka.returned.countDown();
        publisher.stop();
    }

    /** Else a refund that was answered 503 would still be made when Kafka returns, minutes later. */
    @Test
    void aCommandWhoseCallerNoLongerWaitsIsNotSent() throws InterruptedException {
        CausedCommand first = command();
        CausedCommand abandoned = command();
        CausedCommand last = command();
        publisher.start();
        CompletableFuture<Void> sent = publisher.publish(first).toFuture();
        kafka.blocked.await();

        Mono<Void> impatient = publisher.publish(abandoned).timeout(Duration.ofMillis(1));
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(impatient::block)
                .satisfies(failure -> assertThat(Exceptions.unwrap(failure)).isInstanceOf(TimeoutException.class));
        kafka.returned.countDown();
        sent.join();
        publisher.publish(last).block();

        assertThat(kafka.keys).containsExactly(key(first), key(last));
    }

    @Test
    void anErrorDoesNotEndThePublisher() {
        kafka.returned.countDown();
        kafka.error = new NoClassDefFoundError("codec");
        CausedCommand second = command();
        publisher.start();
        publisher.publishStored(List.of(command()));
        await().until(() -> kafka.error == null);

        publisher.publish(second).block(Duration.ofSeconds(20));

        assertThat(kafka.keys).containsExactly(key(second));
    }

    private static CausedCommand command() {
        Transaction transaction = Transactions.cashin(TransactionId.at(Instant.now()), new Amount(100));
        return new CausedCommand(new TransactionCommand.Process(transaction), Origin.NONE);
    }

    private static String key(CausedCommand command) {
        return command.command().transactionId().toString();
    }

    /** Blocks its first caller, as a producer that looks for a broker does, and then acknowledges each record. */
    private static final class BlockingKafka extends KafkaTemplate<byte[], byte[]> {

        private final CountDownLatch blocked = new CountDownLatch(1);
        private final CountDownLatch returned = new CountDownLatch(1);
        private final List<String> keys = new CopyOnWriteArrayList<>();
        private volatile @Nullable Error error;

        BlockingKafka() {
            super(new DefaultKafkaProducerFactory<>(Map.of()));
        }

        @Override
        public CompletableFuture<SendResult<byte[], byte[]>> send(ProducerRecord<byte[], byte[]> record) {
            blocked.countDown();
            Error thrown = error;
            if (thrown != null) {
                error = null;
                throw thrown;
            }
            try {
                returned.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            keys.add(new String(record.key(), StandardCharsets.US_ASCII));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public List<org.apache.kafka.common.PartitionInfo> partitionsFor(String topic) {
            return List.of();
        }

        @Override
        public void flush() {}
    }
}
