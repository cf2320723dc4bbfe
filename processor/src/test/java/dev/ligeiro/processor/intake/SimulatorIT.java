package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.processor.due.DueIndexes;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** The simulated rail in the service: its ledger, its faults and its notifications. */
class SimulatorIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String FAULTS = "/actuator/simulator";

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor(
            "management.endpoints.web.exposure.include=health,simulator",
            "ligeiro.simulator.analysis=200ms",
            "ligeiro.simulator.inquire-after=200ms",
            "ligeiro.due.every=100ms");

    private static final TestEnvironment ENVIRONMENT = PROCESSOR.environment();

    @BeforeAll
    static void createDueIndexes() {
        DueIndexes.create(PROCESSOR.running().bean(MongoDatabase.class));
    }

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
                PROCESSOR.running().api().post(FAULTS, "{\"slow\":\"2s\",\"notices\":\"EARLY\",\"charges\":true}");

        assertThat(written.status()).isEqualTo(200);
        assertThat(PROCESSOR.running().get(FAULTS))
                .isEqualTo(written.body())
                .contains("\"slow\":\"PT2S\"", "\"notices\":\"EARLY\"", "\"answers\":\"GIVEN\"", "\"charges\":true");
    }

    @Test
    void aFaultOutOfBoundsIsRefused() {
        Answer refused = PROCESSOR.running().api().post(FAULTS, "{\"slow\":\"1h\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(PROCESSOR.running().get(FAULTS)).contains("\"slow\":\"PT0S\"");
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
