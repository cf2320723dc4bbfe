package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.change;
import static dev.ligeiro.processor.intake.TestEnvironment.pay;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.guard.GuardCashouts;
import dev.ligeiro.processor.guard.Guards;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;

/** The check of funds by four processors that share the commands and the books. Two of them are killed. */
@Execution(ExecutionMode.SAME_THREAD)
class FundsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final Tenant TENANT = new Tenant(60_000);
    private static final int AFFORDABLE = 100;
    private static final ChangeAction APPROVE = new ChangeAction.Approval(true, Source.MERCHANT, null);
    private static final ChangeAction REJECT = new ChangeAction.Approval(false, Source.OPERATOR, "a test");
    private static final long COMMISSION = 151;
    private static final long FUNDS = AFFORDABLE * (1_000 + COMMISSION);

    private final String name = "funds_" + UUID.randomUUID().toString().replace("-", "");
    private final List<AutoCloseable> running = new ArrayList<>();

    private final List<Transaction> all = new ArrayList<>();
    private String group = "";
    private String books = "";
    private final TestEnvironment environment = new TestEnvironment(name);

    @BeforeEach
    void prepare() {
        TestTopics.create(Topics.COMMANDS, 3);
        environment.createIndexesOfDueWork();
        group = ConsumerGroups.startingNow(Topics.COMMANDS);
        books = ConsumerGroups.startingNow(Topics.EVENTS);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
        environment.close();
    }

    /** A killed processor may leave a cashout that its rail never got. It is denied later, and its money is free again. */
    @Tag("nightly")
    @Test
    void exactlyTheAffordableCashoutsReachTheRailWhileProcessorsAreKilled(@TempDir Path folder) {
        RunningProcessor first = started();
        fund(FUNDS + COMMISSION);
        environment.set(Guards.ofFunds(TENANT));
        RunningProcessor second = started();
        List<ChildProcess> killed = List.of(child(folder.resolve("a")), child(folder.resolve("b")));
        await().atMost(TIMEOUT).until(() -> first.isReady() && second.isReady());

        send(200);
        await().atMost(TIMEOUT).until(() -> ended() > 10);
        killed.get(0).kill();
        all.forEach(cashout -> environment.send(process(cashout)));
        await().atMost(TIMEOUT).until(() -> ended() > 60);
        killed.get(1).kill();
        awaitEnded();
        assertThat(paid()).isLessThanOrEqualTo(AFFORDABLE);
        awaitDrained();
        send(200);
        awaitEnded();

        assertThat(paid()).isEqualTo(AFFORDABLE);
        assertThat(inLedger()).isEqualTo(AFFORDABLE);
        assertThat(all)
                .map(cashout -> environment.read(cashout.id()))
                .filteredOn(cashout -> cashout.status() == Status.DENIED)
                .extracting(cashout -> cashout.history().denialReason())
                .contains("insufficient_funds");
        awaitDrained();
        awaitBalance(0);
    }

    /** The rail denies amounts with these cents. */
    @Test
    void whatTheRailDeniesCanBeSpentAgain() {
        RunningProcessor processor = started();
        fund(2_000);
        environment.set(Guards.ofFunds(TENANT));
        await().atMost(TIMEOUT).until(() -> isGuarded(processor));

        assertDenied(send(1_012L), "rejected_by_rail");
        awaitDrained();
        awaitBalance(2_000 - COMMISSION);
        environment.awaitAnnounced(send(1_000L), "1 pending", "2 in_process", "3 paid");
        assertDenied(send(1_000L), "insufficient_funds");
        awaitDrained();
        awaitBalance(1_000 - 2 * COMMISSION);
    }

    /** The processor does not write the books; others may. */
    @Test
    void aPaidCashoutThatTheBooksLackIsNotSpentAgain() {
        RunningProcessor funded = started();
        fund(2_000);
        funded.close();
        environment.set(Guards.ofFunds(TENANT));
        RunningProcessor withoutBooks = started("ligeiro.books.enabled=false");
        await().atMost(TIMEOUT).until(() -> isGuarded(withoutBooks));

        environment.awaitAnnounced(send(1_000L), "1 pending", "2 in_process", "3 paid");
        assertDenied(send(1_000L), "insufficient_funds");
        environment.awaitAnnounced(send(500L), "1 pending", "2 in_process", "3 paid");
        assertThat(reserved()).hasSize(2);
        awaitBalance(2_000 - COMMISSION);

        started();
        awaitDrained();
        awaitBalance(500 - 3 * COMMISSION);
    }

    /** All funds are reserved by a cashout that waits, and the one that has waited since before the check of funds is reserved too. */
    @Test
    void aCashoutThatWaitsForApprovalKeepsItsFunds() {
        RunningProcessor processor = started();
        fund(3_000);
        Instant daysAgo = Instant.now().minus(Duration.ofDays(5));
        Transaction old = environment.stored(of(Transactions.cashout(TransactionId.at(daysAgo), new Amount(1_000)))
                .with(new Entry.StatusChanged(
                        Status.IN_ANALYSIS, daysAgo, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null)));
        environment.set(Guards.withApproval(Guards.ofFunds(TENANT), 700));
        await().atMost(TIMEOUT).until(() -> isGuarded(processor));

        Transaction waiting = send(1_547L);
        environment.awaitAnnounced(waiting, "1 pending", "2 in_analysis");
        assertThat(reserved()).hasSize(2);
        assertDenied(send(1L), "insufficient_funds");
        assertDenied(send(1_000L), "insufficient_funds");
        environment.send(change(waiting, APPROVE));
        environment.send(change(old, APPROVE));

        environment.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
        await().atMost(TIMEOUT).until(() -> environment.read(old.id()).status() == Status.PAID);
        awaitDrained();
        awaitBalance(0);
    }

    @Test
    void eachApprovedCashoutReachesTheRailOnceThoughItsProcessorIsKilled(@TempDir Path folder) {
        environment.set(Guards.withApproval(Guards.ofDay(TENANT, 1_000_000), 500));
        ChildProcess killed = child(folder.resolve("a"));
        send(100);
        await().atMost(TIMEOUT).until(() -> all.stream()
                .allMatch(cashout -> environment.read(cashout.id()).status() == Status.IN_ANALYSIS));
        List<TransactionCommand> decisions = IntStream.range(0, all.size())
                .mapToObj(i -> change(all.get(i), i % 4 == 0 ? REJECT : APPROVE))
                .toList();

        decisions.forEach(environment::send);
        await().atMost(TIMEOUT).until(() -> ended() > 10);
        killed.kill();
        decisions.forEach(environment::send);
        started();
        awaitEnded();

        assertThat(paid()).isEqualTo(75);
        assertThat(inLedger()).isEqualTo(75);
        awaitDrained();
        assertThat(environment.guardTotals(TENANT).getLong("dayCents")).isEqualTo(75_000);
    }

    /** A paid cashin of the tenant. */
    private void fund(long cents) {
        Transaction cashin = environment.stored(of(Transactions.cashin(new Amount(cents))));
        environment.send(process(cashin));
        environment.awaitAnnounced(cashin, "1 pending");
        environment.send(pay(cashin));
        awaitBalance(cents - COMMISSION);
    }

    private boolean isGuarded(RunningProcessor processor) {
        return processor
                .bean(GuardCashouts.class)
                .begin()
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .mustLoad(cashout(1_000));
    }

    private void assertDenied(Transaction cashout, String reason) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        environment.read(cashout.id()).history().denialReason())
                .isEqualTo(reason));
    }

    private Transaction send(long cents) {
        Transaction cashout = environment.stored(cashout(cents));
        environment.send(process(cashout));
        return cashout;
    }

    private void send(int count) {
        List<Transaction> cashouts =
                IntStream.range(0, count).mapToObj(i -> cashout(1_000)).toList();
        cashouts.forEach(environment::stored);
        cashouts.forEach(cashout -> environment.send(process(cashout)));
        all.addAll(cashouts);
    }

    private static Transaction cashout(long cents) {
        return of(Transactions.cashout(new Amount(cents)));
    }

    private static Transaction of(Transaction transaction) {
        return Transactions.like(transaction).tenant(TENANT).build();
    }

    private long ended() {
        return all.stream()
                .filter(cashout -> isEnded(environment.read(cashout.id()).status()))
                .count();
    }

    private void awaitEnded() {
        await().atMost(TIMEOUT).until(() -> ended() == all.size());
    }

    private static boolean isEnded(Status status) {
        return status == Status.PAID || status == Status.DENIED;
    }

    private long paid() {
        return all.stream()
                .filter(cashout -> environment.read(cashout.id()).status() == Status.PAID)
                .count();
    }

    private long inLedger() {
        return Flux.from(environment
                        .database()
                        .getCollection(CollectionNames.SIMULATOR_LEDGER, BsonDocument.class)
                        .find(Filters.and(
                                Filters.eq(SimulatorLedgerFields.STATE, "settled"),
                                Filters.in(
                                        SimulatorLedgerFields.TRANSACTION_ID,
                                        all.stream()
                                                .map(cashout -> TransactionCodec.binary(
                                                        cashout.id().value()))
                                                .toList()))))
                .count()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    /** Those of paid cashouts end with the next one. */
    private void awaitDrained() {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(reserved())
                .allSatisfy(one -> assertThat(one).containsEntry(GuardTotalsFields.PAID, true)));
    }

    private List<Document> reserved() {
        return environment.guardTotals(TENANT).getList(GuardTotalsFields.RESERVED, Document.class);
    }

    private void awaitBalance(long cents) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(environment.balance(TENANT).get(BalanceFields.MERCHANT))
                        .isEqualTo(cents));
    }

    private RunningProcessor started(String... more) {
        RunningProcessor started = RunningProcessor.start(
                Stream.concat(settings().stream(), Stream.of(more)).toArray(String[]::new));
        running.add(started);
        await().atMost(TIMEOUT).until(started::isReady);
        return started;
    }

    /** A processor in a JVM of its own that is ready. */
    private ChildProcess child(Path log) {
        int port = Ports.free();
        ChildProcess child = RunningProcessor.spawn(port, settings(), log);
        running.add(child::kill);
        Api api = new Api("http://localhost:" + port, null);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> api.get("/actuator/health/readiness").status() == 200);
        return child;
    }

    private List<String> settings() {
        Stream<String> own = Stream.of(
                "spring.mongodb.uri=" + TestBrokers.mongodbUri(name),
                "spring.kafka.consumer.group-id=" + group,
                "ligeiro.books.enabled=true",
                "ligeiro.books.consumer-group=" + books,
                "ligeiro.due.every=200ms",
                "ligeiro.due.lease=5s",
                "ligeiro.simulator.call-timeout=1s",
                "ligeiro.simulator.late-arrival=2s");
        return Stream.concat(own, ConsumerGroups.session(Duration.ofSeconds(2)).stream())
                .toList();
    }
}
