package dev.ligeiro.gateway.republish;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.StoredTransactions;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two gateways on one database with a clock that only the tests move. The gateways have not published the transactions that a
 * test stores itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepublishIT {

    private static final Duration FIRST_AGE = Duration.ofSeconds(30);
    private static final Duration SECOND_AGE = Duration.ofMinutes(2);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private static final String[] SETTINGS = {
        "ligeiro.republish.every=100ms",
        "spring.kafka.producer.properties.delivery.timeout.ms=2000",
        "spring.kafka.producer.properties.request.timeout.ms=1000"
    };

    private final TestClock clock = TestClock.frozen();
    private final String database = RunningGateway.newDatabase();
    private final RunningGateway gateway = RunningGateway.startOn(database, clock, SETTINGS);
    private final RunningGateway other = RunningGateway.startOn(database, clock, SETTINGS);
    private final StoredTransactions stored = new StoredTransactions(database);
    private final SentCommands commands = new SentCommands();

    @AfterEach
    void startKafka() {
        TestBrokers.kafka().start();
    }

    @AfterAll
    void close() {
        commands.close();
        stored.close();
        other.close();
        gateway.close();
    }

    @Test
    void anUnacceptedTransactionIsPublishedOnceAtEachAge() {
        Transaction lost = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100));
        Transaction accepted = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(200))
                .accept();
        stored.insert(List.of(lost, accepted));

        // the end of a span is excluded, so the age is reached one millisecond later
        moveAndAwaitPass(FIRST_AGE);
        assertPublished(lost, 0);
        moveAndAwaitPass(MILLISECOND);
        assertPublished(lost, 1);
        moveAndAwaitPass(SECOND_AGE.minus(FIRST_AGE).minus(MILLISECOND));
        assertPublished(lost, 1);
        moveAndAwaitPass(MILLISECOND);
        assertPublished(lost, 2);

        assertThat(commands.of(lost.id().toString())).containsOnly(new TransactionCommand.Process(lost));
        assertThat(commands.of(accepted.id().toString())).isEmpty();
    }

    @Test
    void twoGatewaysDoNotPublishTwice() {
        List<Transaction> lost = lost(1_200);
        stored.insert(lost);

        moveAndAwaitPass(FIRST_AGE.plus(MILLISECOND));
        awaitPublished(lost);
        // the lease has ended by then, so that the other gateway may take it
        moveAndAwaitPass(RepublishUnaccepted.LEASE.plus(MILLISECOND));

        await().during(Duration.ofMillis(500)).untilAsserted(() -> assertThat(lost)
                .allSatisfy(
                        each -> assertThat(commands.of(each.id().toString())).hasSize(1)));
    }

    /** The clock does not reach the end of the lease, so the other gateway gets it only if it is returned. */
    @Test
    void aGatewayThatStopsReturnsTheLease() {
        String ownDatabase = RunningGateway.newDatabase();
        RunningGateway leaving = RunningGateway.startOn(ownDatabase, clock, SETTINGS);
        try (StoredTransactions own = new StoredTransactions(ownDatabase)) {
            awaitPass(own);
            try (RunningGateway staying = RunningGateway.startOn(ownDatabase, clock, SETTINGS)) {
                leaving.close();
                Instant almostOldEnough = clock.instant().minus(FIRST_AGE);
                Transaction lost = Transactions.cashin(TransactionId.at(almostOldEnough), new Amount(100));
                own.insert(List.of(lost));

                clock.move(MILLISECOND);

                awaitPublished(List.of(lost));
                assertThat(staying.database()).isEqualTo(ownDatabase);
            }
        } finally {
            leaving.close();
        }
    }

    @Test
    void transactionsCreatedWhileKafkaIsAwayArePublishedOnceItIsBack() {
        TestMerchant merchant = gateway.newMerchant();
        TestBrokers.kafka().stop(); // a killed Kafka needs 4 s more for its next start
        List<String> ids = IntStream.range(0, 40)
                .mapToObj(i -> merchant.api()
                        .post(CASHIN, merchant.cashin())
                        .expect(201)
                        .transactionId())
                .toList();
        merchant.api()
                .postNothing("/api/v1/sandbox/transaction/" + ids.get(0) + "/pay")
                .expectProblem(503, "unavailable");

        TestBrokers.kafka().start();
        clock.move(FIRST_AGE.plus(MILLISECOND));

        await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> assertThat(ids)
                .allSatisfy(id -> assertThat(commands.of(id)).isNotEmpty()));
    }

    private void moveAndAwaitPass(Duration forward) {
        clock.move(forward);
        awaitPass(stored);
    }

    /** Waits until a pass at the current time is complete: Kafka has acknowledged all of its commands. */
    private void awaitPass(StoredTransactions in) {
        await().until(() -> in.all("leases").stream()
                .anyMatch(lease -> Date.from(clock.instant()).equals(lease.getDate("passedAt"))));
    }

    private void assertPublished(Transaction transaction, int times) {
        await().during(Duration.ofMillis(300))
                .untilAsserted(() ->
                        assertThat(commands.of(transaction.id().toString())).hasSize(times));
    }

    private void awaitPublished(List<Transaction> transactions) {
        await().until(() -> transactions.stream()
                .noneMatch(each -> commands.of(each.id().toString()).isEmpty()));
    }

    private List<Transaction> lost(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100)))
                .toList();
    }
}
