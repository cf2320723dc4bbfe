package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.rail.FixedRail;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The running processor does what is due, without a command from anybody else. */
@Execution(ExecutionMode.SAME_THREAD)
class DueProcessingIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(5);
    private static final Duration AN_HOUR = Duration.ofHours(1);
    private static final String CREATED = "1 pending";

    private TestDatabase collection;
    private TopicReader events;
    private String group;

    @BeforeEach
    void open() {
        TestTopics.create(Topics.COMMANDS, 3);
        TestTopics.create(Topics.EVENTS, 3);
        collection = new TestDatabase();
        collection.createIndexesOfDueWork();
        group = ConsumerGroups.startingNow(Topics.COMMANDS);
        events = TopicReader.fromNow(Topics.EVENTS);
    }

    @AfterEach
    void close() {
        events.close();
        collection.close();
    }

    @Test
    void aPendingCashinAndAPendingCashoutExpire() {
        Transaction cashin = expiringAt(Transactions.cashin(new Amount(10_00)).accept(), Instant.now());
        Transaction cashout = expiringAt(Transactions.cashout(new Amount(10_00)), Instant.now());
        collection.insert(List.of(cashin, cashout));

        try (RunningProcessor processor = started()) {
            awaitAnnounced(cashin, "2 expired");
            awaitAnnounced(cashout, "1 pending", "2 expired");
            // counted after the commands are sent, and perhaps after the processor has read them
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(processor.get("/actuator/metrics/ligeiro.due.commands"))
                            .contains("\"value\":2.0"));
        }
        assertThat(collection.read(cashin.id()).dueAt()).isNull();
        assertThat(collection.read(cashout.id()).status()).isEqualTo(Status.EXPIRED);
    }

    @Test
    void anUnknownOutcomeIsAskedForUntilTheRailSettlesIt() {
        Instant since = Instant.now();
        Transaction cashout = LiveTransactions.of(Transactions.cashout(new Amount(10_00)))
                .moveTo(Status.IN_PROCESS, since, Source.SYSTEM)
                .with(RailCall.first(null, since, since.plusMillis(1)));
        collection.insert(List.of(cashout));
        AtomicReference<RailOutcome> answer = new AtomicReference<>(new RailOutcome.Unknown());
        FixedRail rail =
                new FixedRail("bank", Duration.ofMinutes(1), () -> CompletableFuture.completedFuture(answer.get()));
        TestClock clock = TestClock.ticking();

        try (RunningProcessor processor = RunningProcessor.startAt(clock, rail, settings())) {
            for (int inquiries = 1; inquiries <= 3; inquiries++) {
                int count = inquiries;
                // the next inquiry is due within 2 s, and due work is read 1 s later
                clock.move(Duration.ofSeconds(4));
                await().atMost(TIMEOUT).until(() -> rail.calls.size() >= count);
            }
            assertThat(collection.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);
            answer.set(RailOutcome.Settled.asAgreed());
            clock.move(Duration.ofSeconds(4));
            awaitAnnounced(cashout, "3 paid");
            assertThat(processor.isAlive()).isTrue();
        }
        assertThat(rail.calls).containsOnly("inquire");
        assertThat(collection.read(cashout.id()).unsettledSince()).isNull();
    }

    @Test
    void whenOneOfTwoProcessorsStopsTheOtherGoesOn() {
        List<Transaction> cashins;
        try (RunningProcessor other = started()) {
            try (RunningProcessor first = started()) {
                cashins = expiring(2_000, Instant.now(), Duration.ofMillis(1));
                collection.insert(cashins);
                await().atMost(TIMEOUT).until(() -> expired(cashins) > 0);
                assertThat(first.isStopping()).isFalse();
            }
            await().atMost(TIMEOUT).until(() -> expired(cashins) == cashins.size());
            assertThat(other.isStopping()).isFalse();
        }
    }

    /** The killed processor keeps its partitions for up to 2 s, and the lease until the clock of the other one is 5 s ahead. */
    @Tag("nightly")
    @Test
    void whenTheProcessorWithTheLeaseIsKilledTheOtherTakesOver(@TempDir Path folder) {
        TestClock clock = TestClock.ticking();
        Transaction first = expiringAt(Transactions.cashin(new Amount(10_00)).accept(), Instant.now());
        collection.insert(List.of(first));
        ChildProcess killed = process(folder.resolve("killed.log"));
        try {
            await().atMost(TIMEOUT).until(() -> expired(List.of(first)) == 1); // so this processor has the lease
            try (RunningProcessor other = RunningProcessor.startAt(
                    clock, FixedRail.answering("bank", RailOutcome.Settled.asAgreed()), shortLease())) {
                await().atMost(TIMEOUT).until(other::isReady);
                List<Transaction> soon = expiring(1_000, Instant.now(), Duration.ofMillis(2));
                // a slow machine may expire the others before the kill
                List<Transaction> afterTheKill = expiring(1_000, Instant.now().plus(AN_HOUR), Duration.ofMillis(2));
                collection.insert(soon);
                collection.insert(afterTheKill);
                await().atMost(TIMEOUT).until(() -> expired(soon) > 0);
                killed.kill();
                clock.move(SHORT_LEASE);
                await().atMost(TIMEOUT).until(() -> expired(soon) == soon.size());
                clock.move(AN_HOUR);
                await().atMost(TIMEOUT).until(() -> expired(afterTheKill) == afterTheKill.size());

                assertThat(other.isAlive()).isTrue();
                assertThat(Stream.concat(soon.stream(), afterTheKill.stream())
                                .map(cashin -> collection.read(cashin.id())))
                        .allMatch(cashin -> cashin.status() == Status.EXPIRED
                                && cashin.history().entries().size() == 2);
            }
        } finally {
            killed.kill();
        }
    }

    private ChildProcess process(Path log) {
        List<String> settings = new ArrayList<>(ConsumerGroups.session(Duration.ofSeconds(2)));
        settings.addAll(List.of(shortLease()));
        return RunningProcessor.spawn(Ports.free(), settings, log);
    }

    private RunningProcessor started() {
        return RunningProcessor.start(settings());
    }

    private String[] settings(String... more) {
        Stream<String> own = Stream.of(
                "spring.mongodb.uri=" + collection.uri(),
                "spring.kafka.consumer.group-id=" + group,
                "ligeiro.due.every=200ms");
        return Stream.concat(own, Stream.of(more)).toArray(String[]::new);
    }

    private String[] shortLease() {
        return settings("ligeiro.due.lease=" + SHORT_LEASE.toSeconds() + "s");
    }

    private static List<Transaction> expiring(int count, Instant from, Duration apart) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        expiringAt(Transactions.cashin(new Amount(10_00)).accept(), from.plus(apart.multipliedBy(i))))
                .toList();
    }

    private static Transaction expiringAt(Transaction transaction, Instant at) {
        return Transactions.like(transaction).expiresAt(at).build();
    }

    private long expired(List<Transaction> cashins) {
        Set<String> announced = Set.copyOf(idsIn(events));
        return cashins.stream()
                .filter(cashin -> announced.contains(cashin.id().toString()))
                .count();
    }

    /** The ids of this test's transactions, once for each record. */
    private List<String> idsIn(TopicReader reader) {
        return reader.records().stream()
                .map(record -> new String(record.key(), StandardCharsets.US_ASCII))
                .filter(collection::contains)
                .toList();
    }

    /** A command that Kafka redelivers sends the events before its own too: then the create, which these tests do not announce, is one. */
    private void awaitAnnounced(Transaction transaction, String... expected) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(announced(transaction).stream()
                        .filter(event ->
                                !event.equals(CREATED) || List.of(expected).contains(CREATED)))
                .containsExactly(expected));
    }

    /** The events as sequence and status, such as {@code 2 paid}. An event that is sent again, because its batch is, counts once. */
    private List<String> announced(Transaction transaction) {
        return events.records(transaction.id().toString()).stream()
                .map(record -> MessageJson.readEvent(record.value()))
                .map(DueProcessingIT::text)
                .distinct()
                .toList();
    }

    private static String text(TransactionEvent event) {
        return event.id().sequence() + " " + event.transaction().status().code();
    }
}
