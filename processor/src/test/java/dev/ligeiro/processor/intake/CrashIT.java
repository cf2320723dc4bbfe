package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.due.DueIndexes;
import dev.ligeiro.processor.guard.Guards;
import dev.ligeiro.processor.intake.CrashCase.Work;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processors are killed (SIGKILL) between two steps, one in each {@link CrashCase}. Then a processor takes over whose clock is five minutes
 * ahead, so that all rail calls are due. The store, the rail's ledger, the events and the guard's totals must agree afterwards.
 */
class CrashIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(20);
    /** The guard's limit, which no cashout exceeds. */
    private static final int CASHOUTS_MAX = 1_000;

    private static final Duration AHEAD = Duration.ofMinutes(5);

    private static List<CrashCase> cases;
    private static RailLedger ledger;
    private static Map<String, Long> movementsAtTheCrash;
    private static Map<TransactionId, Transaction> storedAtTheCrash;
    private static Map<TransactionId, Long> versionsAtTheCrash;
    private static TestEnvironment environment;

    @BeforeAll
    static void crashAndTakeOver(@TempDir Path folder) {
        TestTopics.create(Topics.COMMANDS, 3);
        TestTopics.create(Topics.EVENTS, 3);
        String database = "crash_" + UUID.randomUUID();
        String mongodb = "spring.mongodb.uri=" + TestBrokers.mongodbUri(database);
        try (MongoClient client = MongoClients.create(TestBrokers.mongodbUri(database))) {
            DueIndexes.create(client.getDatabase(database));
        }
        environment = new TestEnvironment(database);
        environment.set(Guards.ofCount(LiveTransactions.TENANT, CASHOUTS_MAX, Duration.ofHours(6)));
        ledger = new RailLedger(folder.resolve("ledger"));
        String group = ConsumerGroups.startingNow(Topics.COMMANDS);
        int partitions = ConsumerGroups.offsets(group).size();
        cases = Stream.of(
                        CrashCase.of(Work.BEGIN, CrashPoint.BEFORE_CALL, partitions),
                        CrashCase.of(Work.BEGIN, CrashPoint.IN_CALL, partitions),
                        CrashCase.of(Work.BEGIN, CrashPoint.BEFORE_ANSWER, partitions),
                        CrashCase.of(Work.BEGIN, CrashPoint.BEFORE_OUTCOME_EVENT, partitions),
                        CrashCase.of(Work.BEGIN, CrashPoint.BEFORE_VERSIONS, partitions),
                        CrashCase.of(Work.BEGIN, CrashPoint.BEFORE_EVENTS, partitions),
                        CrashCase.of(Work.BEGIN, CrashPoint.BEFORE_COMMIT, partitions),
                        CrashCase.of(Work.BEGIN_AGAIN, CrashPoint.BEFORE_EVENTS, partitions),
                        CrashCase.of(Work.LOOK_MOVED, CrashPoint.IN_INQUIRY, partitions),
                        CrashCase.of(Work.LOOK_MOVED, CrashPoint.BEFORE_ANSWER, partitions),
                        CrashCase.of(Work.LOOK_MOVED, CrashPoint.BEFORE_EVENTS, partitions),
                        CrashCase.of(Work.LOOK_NOT_MOVED, CrashPoint.IN_INQUIRY, partitions),
                        CrashCase.of(Work.LOOK_NOT_MOVED, CrashPoint.IN_CALL, partitions))
                .toList();
        cases.forEach(CrashIT::prepare);
        environment.flush();

        crash(folder, mongodb);
        movementsAtTheCrash = ledger.movements();
        storedAtTheCrash = cases.stream()
                .flatMap(one -> Stream.of(one.cashout().id(), one.cashin().id()))
                .collect(Collectors.toMap(Function.identity(), environment::read));
        versionsAtTheCrash = cases.stream()
                .map(CrashCase::cashout)
                .collect(Collectors.toMap(Transaction::id, environment::bucketVersion));
        cases.forEach(one -> NotCommitted.skip(one, ConsumerGroups.offsets(one.group())));
        takeOver(mongodb, group);
    }

    @AfterAll
    static void close() {
        environment.close();
    }

    private static void prepare(CrashCase one) {
        ConsumerGroups.passAll(one.group(), Topics.COMMANDS);
        environment.stored(one.storedCashout());
        environment.stored(one.storedCashin());
        environment.keepCountsOf(one.cashout());
        if (one.work().isMoved()) {
            ledger.move(one.cashout().id());
            ledger.move(one.refund());
        }
        one.commands().forEach(environment::send);
    }

    private static void crash(Path folder, String... settings) {
        ChildProcess processors = CrashingProcessors.start(cases, folder, ledger, settings);
        try {
            await().atMost(TIMEOUT)
                    .pollInterval(POLL)
                    .failFast(() -> assertThat(processors.isAlive())
                            .as(processors::failureSummary)
                            .isTrue())
                    .untilAsserted(() -> assertThat(CrashingProcessors.stopped(folder))
                            .containsExactlyInAnyOrderElementsOf(
                                    cases.stream().map(CrashSteps::name).toList()));
        } finally {
            processors.kill();
        }
        assertThat(processors.exitStatus()).isEqualTo("signal 9");
    }

    /** Returns when nothing is due and every command is processed. */
    private static void takeOver(String mongodb, String group) {
        try (RunningProcessor healthy = RunningProcessor.startAt(
                Clock.offset(Clock.systemUTC(), AHEAD),
                new LedgerRail(ledger),
                mongodb,
                "spring.kafka.consumer.group-id=" + group,
                NotCommitted.SETTING,
                "ligeiro.due.every=100ms")) {
            await().atMost(TIMEOUT).pollInterval(POLL).untilAsserted(() -> {
                assertThat(cases).allSatisfy(one -> {
                    assertThat(environment.read(one.cashout().id()).dueAt()).isNull();
                    assertThat(environment.read(one.cashin().id()).dueAt()).isNull();
                });
                assertThat(ConsumerGroups.hasPassedAll(group, Topics.COMMANDS)).isTrue();
            });
            assertThat(healthy.isAlive()).isTrue();
        }
    }

    static List<CrashCase> cases() {
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theProcessorIsKilledAtItsCrashPoint(CrashCase one) {
        Transaction cashout =
                Objects.requireNonNull(storedAtTheCrash.get(one.cashout().id()));
        Transaction cashin =
                Objects.requireNonNull(storedAtTheCrash.get(one.cashin().id()));

        assertThat(movementsAtTheCrash.containsKey(cashout.id().toString())).isEqualTo(one.isMovedAtTheCrash());
        assertThat(movementsAtTheCrash.containsKey(one.refund().toString())).isEqualTo(one.isMovedAtTheCrash());
        assertThat(cashout.railCalls().size() + cashin.railCalls().size()).isIn(one.railCallsAtTheCrash());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theMoneyMovesOnce(CrashCase one) {
        Transaction cashout = environment.read(one.cashout().id());
        Transaction cashin = environment.read(one.cashin().id());

        assertThat(cashout.status()).isEqualTo(Status.PAID);
        assertThat(cashin.history().refunds())
                .singleElement()
                .returns(one.refund(), Refund::id)
                .returns(Refund.State.REFUNDED, Refund::state);
        assertThat(ledger.movements())
                .containsEntry(cashout.id().toString(), 1L)
                .containsEntry(one.refund().toString(), 1L);
    }

    /** Even if only the first processor has changed the transaction, and was killed before it replaced the version. */
    @ParameterizedTest
    @MethodSource("cases")
    void theVersionOfTheChangedBucketIsReplacedAfterTheCrash(CrashCase one) {
        Long atTheCrash =
                Objects.requireNonNull(versionsAtTheCrash.get(one.cashout().id()));
        if (one.point() == CrashPoint.BEFORE_VERSIONS) {
            assertThat(Objects.requireNonNull(storedAtTheCrash.get(one.cashout().id()))
                            .status())
                    .isEqualTo(Status.PAID);
            assertThat(atTheCrash).isZero();
        }

        assertThat(environment.bucketVersion(one.cashout())).isNotEqualTo(atTheCrash);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyEntryIsAnnouncedInOrder(CrashCase one) {
        assertAnnounced(environment.read(one.cashout().id()), one.announcedOfCashout());
        assertAnnounced(environment.read(one.cashin().id()), one.announcedOfCashin());
    }

    /** A crash leaves no reservation, and a repeated command reserves nothing. */
    @Test
    void theGuardHasCountedEachCashoutOnce() {
        Document totals = environment.guardTotals(LiveTransactions.TENANT);

        int counted = totals.getList("slots", Document.class).stream()
                .mapToInt(slot -> slot.getInteger("count"))
                .sum();
        assertThat(counted).isEqualTo(cases.size());
        assertThat(totals.getList("reserved", Document.class)).isEmpty();
    }

    @Test
    void theLedgerHasNoOtherMovement() {
        assertThat(ledger.movements()).hasSize(2 * cases.size()).allSatisfy((id, movements) -> assertThat(movements)
                .isEqualTo(1));
    }

    /** An event that is sent again is equal to the first one. */
    private static void assertAnnounced(Transaction stored, int before) {
        assertThat(environment.events(stored.id()).stream()
                        .filter(event -> event.id().sequence() > before)
                        .distinct())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(before + 1, stored.history().sequence())
                                .mapToObj(sequence -> TransactionEvent.of(stored, sequence))
                                .toList());
    }
}
