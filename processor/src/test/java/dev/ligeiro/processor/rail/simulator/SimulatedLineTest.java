package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RecordedNotices;
import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The faults that a test can switch on. */
class SimulatedLineTest {

    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();

    private final TestClock clock = TestClock.frozen();
    private final RecordedNotices notices = new RecordedNotices();
    private final InMemoryLedger ledger = new InMemoryLedger();
    private final Transaction cashin = Transactions.cashin(new Amount(1011));
    private final Transaction cashout = Transactions.cashout(new Amount(1000));
    private VirtualTimeScheduler time;
    /** That of the latest {@link #rail}. */
    private @Nullable SimulatorEndpoint endpoint;

    @BeforeEach
    void virtualTime() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void withoutFaultsNothingIsDelayedOrReported() {
        SimulatedRail rail = rail();

        assertThat(rail.submit(cashout)).isCompletedWithValue(SETTLED);
        assertThat(rail.inquire(cashout)).isCompletedWithValue(SETTLED);
        assertThat(notices.published()).isEmpty();
    }

    @Test
    void aSlowRailMovesTheMoneyAndAnswersLater() {
        SimulatedRail rail = rail("ligeiro.simulator.submission-delay=2s");
        write(Duration.ofSeconds(3), null, null, null, null);

        CompletableFuture<RailOutcome> answer = rail.submit(cashout);
        time.advanceTimeBy(Duration.ofMillis(4_999));
        assertThat(answer).isNotDone();
        assertThat(moved()).isZero();

        time.advanceTimeBy(Duration.ofMillis(1));
        assertThat(answer).isCompletedWithValue(SETTLED);
        assertThat(moved()).isEqualTo(1);
    }

    @Test
    void anAnswerOfADoneSubmissionIsLost() {
        SimulatedRail rail = rail();
        write(null, SimulatorFaults.Answers.LOST_DONE, null, null, null);

        assertThat(rail.submit(cashout)).isNotDone();
        assertThat(rail.inquire(cashout)).isCompletedWithValue(SETTLED);
    }

    @Test
    void aSubmissionIsLost() {
        SimulatedRail rail = rail();
        write(null, SimulatorFaults.Answers.LOST_NOT_DONE, null, null, null);

        assertThat(rail.submit(cashout)).isNotDone();
        assertThat(rail.inquire(cashout)).isCompletedWithValue(new RailOutcome.NotFound());
    }

    @Test
    void whileTheRailIsDownEveryCallFails() {
        SimulatedRail rail = rail();
        write(null, null, null, Duration.ofMinutes(2), null);

        clock.move(Duration.ofSeconds(119));
        assertThat(rail.submit(cashout)).isCompletedExceptionally();
        assertThat(rail.inquire(cashout)).isCompletedExceptionally();

        clock.move(Duration.ofSeconds(1));
        assertThat(rail.inquire(cashout)).isCompletedWithValue(new RailOutcome.NotFound());
        assertThat(rail.submit(cashout)).isCompletedWithValue(SETTLED);
    }

    @ParameterizedTest
    @EnumSource
    void movedMoneyIsReported(SimulatorFaults.Notices how) {
        SimulatedRail rail = rail();
        write(null, null, how, null, null);
        TransactionCommand notice = new TransactionCommand.RailNotice(
                        cashout.id(), "simulator", cashout.endToEndId(), new Amount(1000))
                .sentAt(RecordedNotices.AT);
        int times =
                switch (how) {
                    case NONE -> 0;
                    case EARLY -> 1;
                    case TWICE -> 2;
                };

        CompletableFuture<RailOutcome> answer = rail.submit(cashout);
        time.advanceTime();

        assertThat(answer).isCompletedWithValue(SETTLED);
        assertThat(notices.published()).hasSize(times).allMatch(notice::equals);
    }

    @Test
    void aDeniedCashoutIsNotReported() {
        SimulatedRail rail = rail();
        write(null, null, SimulatorFaults.Notices.TWICE, null, null);

        rail.submit(Transactions.cashout(new Amount(1012)));

        assertThat(notices.published()).isEmpty();
    }

    @Test
    void chargesAreOnlyAffectedWhenAskedFor() {
        SimulatedRail rail = rail();
        write(null, SimulatorFaults.Answers.LOST_DONE, null, Duration.ofMinutes(1), null);
        assertThat(rail.submit(cashin)).isCompletedWithValue(SETTLED);

        write(null, null, null, Duration.ofMinutes(1), true);
        assertThat(rail.submit(cashin)).isCompletedExceptionally();
        assertThat(rail.inquire(cashin)).isCompletedExceptionally();

        write(null, SimulatorFaults.Answers.LOST_DONE, null, null, true);
        assertThat(rail.submit(cashin)).isNotDone();
        assertThat(rail.inquire(cashin)).isCompletedWithValue(SETTLED);
    }

    @Test
    void aFullLedgerQueueMeansNotStarted() {
        RequestBatcher<LedgerEntry, LedgerEntry> stuck =
                new RequestBatcher<>(1, 1, 1, Duration.ZERO, batch -> Mono.never());
        Ledger full = new Ledger() {

            @Override
            public Mono<LedgerEntry> submit(LedgerEntry first) {
                return stuck.submit(first);
            }

            @Override
            public Mono<LedgerEntry> find(UUID id) {
                return Mono.empty();
            }
        };
        SimulatedRail rail = rail(full);
        rail.submit(Transactions.cashout(new Amount(100)));
        rail.submit(Transactions.cashout(new Amount(100)));

        assertThat(rail.submit(cashout)).isCompletedWithValue(new RailOutcome.NotStarted());
    }

    private void write(
            @Nullable Duration slow,
            SimulatorFaults.@Nullable Answers answers,
            SimulatorFaults.@Nullable Notices notices,
            @Nullable Duration downFor,
            @Nullable Boolean charges) {
        Objects.requireNonNull(endpoint).write(slow, answers, notices, downFor, charges);
    }

    private int moved() {
        return ledger.moved(cashout.id().value());
    }

    private SimulatedRail rail(String... settings) {
        return rail(ledger, settings);
    }

    private SimulatedRail rail(Ledger of, String... settings) {
        SimulatorProperties properties = Settings.of(SimulatorProperties.class, settings);
        SimulatedLine line = new SimulatedLine(properties, notices.door(), clock);
        endpoint = new SimulatorEndpoint(line, properties, clock);
        return new SimulatedRail(properties, of, line, clock);
    }
}
