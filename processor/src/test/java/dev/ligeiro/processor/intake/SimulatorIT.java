package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import reactor.core.publisher.Mono;

/** The simulated rail in the service: its ledger, its faults and its notifications. */
@Order(1)
@Execution(ExecutionMode.SAME_THREAD)
class SimulatorIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String FAULTS = "/actuator/simulator";

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor();

    private static final TestEnvironment ENVIRONMENT = PROCESSOR.environment();
    private static final Tenant TENANT = new Tenant(40_000);

    @AfterEach
    void noFaults() {
        PROCESSOR.running().api().post(FAULTS, "{}");
    }

    /** The commands are sent together, because a look at an analysis or at an unknown outcome comes after more than 1 s. */
    @Test
    void theCentsDecideTheEnd() {
        Map<Transaction, List<String>> ends = Map.of(
                processed(Transactions.cashin(new Amount(1000))), List.of("1 pending"),
                processed(Transactions.cashin(new Amount(1011))), List.of("1 pending", "2 paid"),
                processed(Transactions.cashin(new Amount(1012))), List.of("1 pending", "2 denied"),
                processed(Transactions.cashin(new Amount(1013))), List.of("1 pending", "2 in_analysis", "3 paid"),
                processed(Transactions.cashin(new Amount(1014))), List.of("1 pending", "2 in_analysis", "3 denied"),
                processed(Transactions.cashout(new Amount(1000))), List.of("1 pending", "2 in_process", "3 paid"),
                processed(Transactions.cashout(new Amount(1012))), List.of("1 pending", "2 in_process", "3 denied"),
                processed(Transactions.cashout(new Amount(1013))),
                        List.of("1 pending", "2 in_analysis", "3 in_process", "4 paid"),
                processed(Transactions.cashout(new Amount(1016))), List.of("1 pending", "2 in_process", "3 paid"),
                processed(Transactions.cashout(new Amount(1017))), List.of("1 pending", "2 in_process", "3 denied"));

        assertThat(ends)
                .allSatisfy((transaction, events) ->
                        ENVIRONMENT.awaitAnnounced(transaction, events.toArray(String[]::new)));
    }

    @Test
    void aCashoutIsRecordedInTheLedger() {
        Transaction cashout = processed(Transactions.cashout(new Amount(1018)));

        ENVIRONMENT.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid", "4 refund");

        BsonDocument entry = entry(cashout);
        assertThat(entry.getString(SimulatorLedgerFields.STATE).getValue()).isEqualTo("sent_back");
        assertThat(entry.getInt64(SimulatorLedgerFields.AMOUNT).getValue()).isEqualTo(1018);
        assertThat(entry.getInt32(SimulatorLedgerFields.SUBMISSIONS).getValue()).isEqualTo(1);
    }

    @Test
    void aLostAnswerIsReplacedByTheRailsOwnReport() {
        PROCESSOR.running().api().post(FAULTS, "{\"answers\":\"LOST_DONE\",\"notices\":\"TWICE\"}");

        Transaction cashout = processed(Transactions.cashout(new Amount(1000)));

        // reports that change nothing repeat events
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(ENVIRONMENT.announced(cashout.id()))
                .contains("1 pending", "2 in_process", "3 paid"));
        assertThat(entry(cashout).getInt32(SimulatorLedgerFields.SUBMISSIONS).getValue())
                .isEqualTo(1);
    }

    @Test
    void faultsAreReadAsTheyWereWritten() {
        Answer written =
                PROCESSOR.running().api().post(FAULTS, "{\"slow\":\"500ms\",\"notices\":\"EARLY\",\"charges\":true}");

        assertThat(written.status()).isEqualTo(200);
        assertThat(PROCESSOR.running().get(FAULTS))
                .isEqualTo(written.body())
                .contains("\"slow\":\"PT0.5S\"", "\"notices\":\"EARLY\"", "\"answers\":\"GIVEN\"", "\"charges\":true");
    }

    @Test
    void aFaultOutOfBoundsIsRefused() {
        Answer refused = PROCESSOR.running().api().post(FAULTS, "{\"slow\":\"1h\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(PROCESSOR.running().get(FAULTS)).contains("\"slow\":\"PT0S\"");
    }

    /** The commission is 1.51. The listener of the books gets all events again. */
    @Test
    void theBooksFollowTheTransactionsAndReadingAllEventsAgainChangesNothing() throws Exception {
        Transaction paid = processed(ofBooks(Transactions.cashin(new Amount(10_011))));
        Transaction refunded = processed(ofBooks(Transactions.cashin(new Amount(10_011))));
        processed(ofBooks(Transactions.cashin(new Amount(10_000))));
        processed(ofBooks(Transactions.cashout(new Amount(2_000))));
        // in flight until the rail has been asked
        processed(ofBooks(Transactions.cashout(new Amount(2_017))));
        ENVIRONMENT.send(TestEnvironment.change(refunded, new ChangeAction.Refund(new Amount(300), null, null)));
        awaitBalance(2 * (10_011 - 151) - 300 - (2_000 + 151));
        ENVIRONMENT.send(TestEnvironment.change(paid, new ChangeAction.Sandbox(SandboxAction.REFUND)));
        awaitBalance(2 * (10_011 - 151) - 300 - (2_000 + 151) - 10_011);
        Document before = ENVIRONMENT.balance(TENANT);

        MessageListenerContainer books = Objects.requireNonNull(
                PROCESSOR.running().bean(KafkaListenerEndpointRegistry.class).getListenerContainer("books"));
        String group = Objects.requireNonNull(books.getGroupId());
        books.stop();
        try (Admin admin = TestTopics.admin()) {
            admin.deleteConsumerGroups(List.of(group)).all().get(30, TimeUnit.SECONDS);
        }
        books.start();
        await().atMost(TIMEOUT).until(() -> ConsumerGroups.lag(group, Topics.EVENTS) == 0);
        assertThat(ENVIRONMENT.balance(TENANT)).isEqualTo(before);
    }

    private static void awaitBalance(long merchant) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(ENVIRONMENT.balance(TENANT))
                .containsEntry(BalanceFields.MERCHANT, merchant)
                .containsEntry(BalanceFields.OUT_IN_FLIGHT, 0L)
                .containsEntry(BalanceFields.REFUND_IN_FLIGHT, 0L));
    }

    private static Transaction ofBooks(Transaction transaction) {
        return Transactions.like(transaction).tenant(TENANT).build();
    }

    private static Transaction processed(Transaction transaction) {
        ENVIRONMENT.stored(transaction);
        ENVIRONMENT.send(process(transaction));
        return transaction;
    }

    private static BsonDocument entry(Transaction cashout) {
        return Mono.from(PROCESSOR
                        .running()
                        .bean(MongoDatabase.class)
                        .getCollection(CollectionNames.SIMULATOR_LEDGER, BsonDocument.class)
                        .find(Filters.eq(TransactionCodec.binary(cashout.id().value()))))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }
}
