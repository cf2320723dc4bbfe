package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.dueCheck;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static dev.ligeiro.testing.kafka.TopicReader.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.FixedRail;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The processor with a rail whose answers the test sets. Its database has no index of due work, so only the test sends looks. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Execution(ExecutionMode.SAME_THREAD)
class LiveRailIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final FixedRail RAIL = new FixedRail("bank", Duration.ofMinutes(1), () -> LiveRailIT.answer);

    private static volatile CompletableFuture<RailOutcome> answer = new CompletableFuture<>();
    private static TestEnvironment environment;
    private static RunningProcessor processor;

    private final Transaction cashout = LiveTransactions.of(Transactions.cashout(new Amount(15075)));

    @BeforeAll
    static void start() {
        String database = "live_rail_" + UUID.randomUUID();
        TestTopics.create(Topics.COMMANDS, 3);
        environment = new TestEnvironment(database);
        processor = RunningProcessor.startWith(
                RAIL,
                "spring.mongodb.uri=" + TestBrokers.mongodbUri(database),
                "spring.kafka.consumer.group-id=" + ConsumerGroups.startingNow(Topics.COMMANDS));
        await().atMost(TIMEOUT).until(processor::isReady);
    }

    @AfterAll
    static void close() {
        processor.close();
        environment.close();
    }

    @BeforeEach
    void noAnswer() {
        answer = new CompletableFuture<>();
        RAIL.calls.clear();
        environment.stored(cashout);
    }

    @Test
    void aSlowAnswerDelaysNoOtherTransactionAndIsAppliedWhenItComes() {
        environment.send(process(cashout));
        await().atMost(TIMEOUT).until(() -> RAIL.calls.size() == 1);
        Transaction other = environment.stored(Transactions.cashin(new Amount(5011)));
        environment.send(process(other));

        environment.awaitAnnounced(other, "1 pending", "2 paid");
        environment.awaitAnnounced(cashout, "1 pending", "2 in_process");
        assertThat(environment.read(cashout.id()).railCalls()).hasSize(1);
        answer.complete(RailOutcome.Settled.asAgreed());

        environment.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");
        assertThat(environment.read(cashout.id()).railCalls()).isEmpty();
        assertThat(RAIL.calls).containsExactly("submit");
        assertThat(processor.isAlive()).isTrue();
    }

    @Order(Integer.MAX_VALUE)
    @Test
    void aStopDoesNotWaitForARail() throws InterruptedException {
        environment.send(process(cashout));
        environment.awaitAnnounced(cashout, "1 pending", "2 in_process");

        Thread stopping = new Thread(processor::close, "stopping");
        stopping.start();
        stopping.join(TIMEOUT.toMillis());

        assertThat(stopping.isAlive()).isFalse();
        Transaction stored = environment.read(cashout.id());
        assertThat(stored.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(stored.railCalls()).hasSize(1);
    }

    @Test
    void aTransactionWhoseRailThisProcessorDoesNotHaveWaits() {
        Transaction known = environment.stored(submitted("bank"));
        Transaction waiting = environment.stored(submitted("closed-bank"));
        answer = CompletableFuture.completedFuture(RailOutcome.Settled.asAgreed());
        environment.send(dueCheck(waiting));
        environment.send(dueCheck(known));

        await().atMost(TIMEOUT).until(() -> environment.read(known.id()).status() == Status.PAID);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(processor.get("/actuator/prometheus"))
                .contains("ligeiro_rail_missing_commands_total 1.0"));
        assertThat(environment.read(waiting.id())).isEqualTo(waiting);
        assertThat(environment.deadCommands(waiting.id())).isEmpty();
        assertThat(RAIL.calls).containsExactly("inquire");
    }

    /** With the fault, two forged commands paid a cashin: the report opened the call that the answer named. */
    @Test
    void aForgedAnswerToTheQuestionOfAForgedReportPaysNothing() {
        Transaction cashin = environment.stored(LiveTransactions.of(Transactions.cashin(new Amount(15_075))));
        answer = CompletableFuture.completedFuture(new RailOutcome.Pending());
        environment.send(process(cashin));
        environment.awaitAnnounced(cashin, "1 pending");
        answer = new CompletableFuture<>();
        environment.send(new TransactionCommand.RailNotice(cashin.id(), "bank", cashin.endToEndId(), null));
        await().atMost(TIMEOUT).until(() -> RAIL.calls.contains("inquire"));

        environment.send(forged(cashin, RailOutcome.Settled.asAgreed()));

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(environment.deadCommands(cashin.id()))
                .singleElement()
                .satisfies(dead -> assertThat(header(dead, "reason")).contains("no_rail_call")));
        assertThat(environment.read(cashin.id()).status()).isEqualTo(Status.PENDING);
        answer.complete(RailOutcome.Settled.asAgreed());
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        assertThat(processor.isAlive()).isTrue();
    }

    private static TransactionCommand forged(Transaction transaction, RailOutcome outcome) {
        return new TransactionCommand.RailAnswer(
                        transaction.tenant(),
                        transaction.id(),
                        null,
                        RailCallKind.INQUIRE,
                        1,
                        1,
                        Instant.now(),
                        outcome,
                        "")
                .signedWith(UUID.randomUUID());
    }

    private static Transaction submitted(String railName) {
        Instant at = Instant.now().minusSeconds(120);
        return Transactions.like(LiveTransactions.of(Transactions.cashout(new Amount(15075))))
                .rail(railName)
                .build()
                .moveTo(Status.IN_PROCESS, at, Source.SYSTEM)
                .with(RailCall.first(null, at, at.plusSeconds(15)));
    }
}
