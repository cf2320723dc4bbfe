package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A batch that outlasts the stop meets a closed client. Its commands must be tried again, and never become dead letters. */
class ClosedClientIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-03-10T14:31:00.456Z");

    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri("closed_client_it"));
    private final MongoDatabase database = client.getDatabase("closed_client_it");
    private final Transaction pending = Transactions.cashin(new Amount(12_34));

    @BeforeEach
    void close() {
        client.close();
    }

    @Test
    void aReadOfTransactionsIsTriedAgain() {
        assertTriedAgain(new TransactionBatchStore(database).load(List.of(new TransactionCommand.Process(pending)), 1));
    }

    @Test
    void aWriteOfTransactionsIsTriedAgain() {
        assertTriedAgain(
                new TransactionBatchStore(database).write(List.of(new Update(pending, pending.accept(), false))));
    }

    @Test
    void anUnmatchedPaymentIsTriedAgain() {
        UnmatchedPayment payment =
                new UnmatchedPayment("simulator", "E1", pending.id(), null, UnmatchedPayment.Reason.PAID_TWICE, NOW);

        assertTriedAgain(new UnmatchedPaymentStore(database, new SimpleMeterRegistry()).record(List.of(payment)));
    }

    @Test
    void theVersionsOfBucketsAreTriedAgain() {
        Transaction paid = pending.moveTo(Status.PAID, NOW, Source.RAIL);
        TransactionEvent event = TransactionEvent.of(paid, 2);

        assertTriedAgain(new BucketVersionStore(database, Clock.systemUTC()).replace(List.of(event), new Origins()));
    }

    private static void assertTriedAgain(Mono<?> operation) {
        assertThatThrownBy(() -> operation.block(TIMEOUT)).isInstanceOf(TransientFault.class);
    }
}
