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
import dev.ligeiro.testing.http.Answer;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The sweeper on real brokers, with ages of seconds. What is stored here behind the gateway's back was never published. */
class RepublishIT {

    private static final String SOON = "ligeiro.republish.every=200ms";
    private static final String AT_2_AND_4_SECONDS = "ligeiro.republish.ages=2s,4s";

    @Test
    void whatNoProcessorHasAcceptedIsPublishedAtEachAge() {
        try (RunningGateway gateway = RunningGateway.start(SOON, AT_2_AND_4_SECONDS);
                SentCommands commands = new SentCommands();
                StoredTransactions stored = new StoredTransactions(gateway.database())) {
            Transaction lost = Transactions.cashin(new Amount(100));
            Transaction accepted = Transactions.cashin(new Amount(200)).accept();
            stored.insert(List.of(lost, accepted));
            String id = lost.id().toString();

            await().until(() -> commands.of(id).size() == 1);
            assertThat(Instant.now()).isAfter(lost.createdAt().plusSeconds(2));
            await().until(() -> commands.of(id).size() == 2);
            assertThat(Instant.now()).isAfter(lost.createdAt().plusSeconds(4));

            assertThat(commands.of(id)).containsOnly(new TransactionCommand.Process(lost));
            await().during(Duration.ofSeconds(1)).until(() -> commands.of(id).size() == 2);
            assertThat(commands.of(accepted.id().toString())).isEmpty();
        }
    }

    @Test
    void twoGatewaysDoNotPublishTwice() {
        try (RunningGateway one = RunningGateway.start(SOON, "ligeiro.republish.ages=3s");
                RunningGateway other = RunningGateway.startOn(one.database(), SOON, "ligeiro.republish.ages=3s");
                SentCommands commands = new SentCommands();
                StoredTransactions stored = new StoredTransactions(other.database())) {
            List<Transaction> lost = lost(1_200);
            stored.insert(lost);

            await().until(() -> lost.stream()
                    .noneMatch(each -> commands.of(each.id().toString()).isEmpty()));
            await().during(Duration.ofSeconds(2)).until(() -> lost.stream()
                    .allMatch(each -> commands.of(each.id().toString()).size() == 1));
        }
    }

    /** A clean stop gives the lease back: the other does not wait until it ends. */
    @Test
    void anotherGatewayTakesOverAtOnce() {
        try (RunningGateway staying = RunningGateway.start(SOON, "ligeiro.republish.ages=3s");
                SentCommands commands = new SentCommands();
                StoredTransactions stored = new StoredTransactions(staying.database())) {
            RunningGateway leaving = RunningGateway.startOn(staying.database(), SOON, "ligeiro.republish.ages=3s");
            leaving.close();
            List<Transaction> lost = lost(3);
            stored.insert(lost);

            await().atMost(RepublishUnaccepted.LEASE.dividedBy(2)).until(() -> lost.stream()
                    .noneMatch(each -> commands.of(each.id().toString()).isEmpty()));
        }
    }

    private static List<Transaction> lost(int count) {
        Instant now = Instant.now();
        return IntStream.range(0, count)
                .mapToObj(i -> Transactions.cashin(TransactionId.at(now), new Amount(100)))
                .toList();
    }

    /** A merchant hears 201 while Kafka is away, and nothing is lost. */
    @Test
    void whatWasCreatedWhileKafkaWasAwayIsPublishedOnceItIsBack() {
        try (RunningGateway gateway = RunningGateway.start(
                        SOON,
                        "ligeiro.republish.ages=6s",
                        "spring.kafka.producer.properties.delivery.timeout.ms=2000",
                        "spring.kafka.producer.properties.request.timeout.ms=1000");
                SentCommands commands = new SentCommands()) {
            TestBrokers.kafka().kill();
            TestMerchant merchant = gateway.newMerchant();
            List<String> ids = IntStream.range(0, 40)
                    .mapToObj(i -> createdWithin(merchant, Duration.ofSeconds(2)))
                    .toList();
            merchant.api()
                    .postNothing("/api/v1/sandbox/transaction/" + ids.get(0) + "/pay")
                    .expectProblem(503, "unavailable");

            TestBrokers.kafka().start();

            await().atMost(Duration.ofSeconds(40))
                    .until(() -> ids.stream().noneMatch(id -> commands.of(id).isEmpty()));
        }
    }

    private static String createdWithin(TestMerchant merchant, Duration max) {
        Instant before = Instant.now();
        Answer created = merchant.api().post(CASHIN, merchant.cashin()).expect(201);
        assertThat(Duration.between(before, Instant.now())).isLessThan(max);
        return created.transactionId();
    }
}
