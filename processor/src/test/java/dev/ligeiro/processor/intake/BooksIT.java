package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** The books of a running processor, from commands to balances. */
class BooksIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Tenant TENANT = new Tenant(40_000);
    private static final String GROUP = "books-" + UUID.randomUUID();

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor(
            "ligeiro.books.enabled=true", "ligeiro.books.consumer-group=" + GROUP, "ligeiro.simulator.late-arrival=2s");

    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(RunningProcessor.DATABASE));

    @AfterEach
    void close() {
        client.close();
    }

    /** Amounts of 100.11 are settled by the simulator at once; the commission is 1.51. */
    @Test
    void theBalanceFollowsTheTransactionsAndReadingAllEventsAgainChangesNothing() {
        TestEnvironment environment = PROCESSOR.environment();
        environment.createIndexesOfDueWork();
        Transaction paid = environment.stored(of(Transactions.cashin(new Amount(10_011))));
        Transaction refunded = environment.stored(of(Transactions.cashin(new Amount(10_011))));
        Transaction waiting = environment.stored(of(Transactions.cashin(new Amount(10_000))));
        Transaction cashout = environment.stored(of(Transactions.cashout(new Amount(2_000))));
        Transaction denied = environment.stored(of(Transactions.cashout(new Amount(2_017))));
        for (Transaction one : List.of(paid, refunded, waiting, cashout, denied)) {
            environment.send(TestEnvironment.process(one));
        }
        environment.send(TestEnvironment.change(refunded, new ChangeAction.Refund(new Amount(300), null, null)));

        // the cashout of .17 is in flight until the simulator has not found it
        awaitBalance(2 * (10_011 - 151) - 300 - (2_000 + 151), 0);

        environment.send(TestEnvironment.change(paid, new ChangeAction.Sandbox(SandboxAction.REFUND)));
        awaitBalance(2 * (10_011 - 151) - 300 - (2_000 + 151) - 10_011, 0);
        Document before = balance();
        String again = "books-" + UUID.randomUUID();
        try (RunningProcessor other =
                RunningProcessor.start("ligeiro.books.enabled=true", "ligeiro.books.consumer-group=" + again)) {
            await().atMost(TIMEOUT).until(other::isReady);
            await().atMost(TIMEOUT).until(() -> ConsumerGroups.hasPassedAll(again, Topics.EVENTS));
        }

        assertThat(balance()).isEqualTo(before);
    }

    private void awaitBalance(long merchant, long inFlight) {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(balance().getLong(BalanceFields.MERCHANT)).isEqualTo(merchant);
            assertThat(balance().get(BalanceFields.OUT_IN_FLIGHT)).isEqualTo(inFlight);
            assertThat(balance().get(BalanceFields.REFUND_IN_FLIGHT)).isEqualTo(0L);
        });
    }

    private Document balance() {
        BsonDocument id = BalanceFields.id(TENANT);
        return Mono.from(client.getDatabase(RunningProcessor.DATABASE)
                        .getCollection(CollectionNames.BALANCES)
                        .find(new BsonDocument("_id", id)))
                .blockOptional(TIMEOUT)
                .orElse(new Document());
    }

    private static Transaction of(Transaction transaction) {
        return Transactions.like(transaction).tenant(TENANT).build();
    }
}
