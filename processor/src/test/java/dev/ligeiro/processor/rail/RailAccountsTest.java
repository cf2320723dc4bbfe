package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RailAccountsTest {

    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();
    private static final RailOutcome NOT_STARTED = new RailOutcome.NotStarted();

    private final TestClock clock = TestClock.frozen();
    private final AtomicLong nanos = new AtomicLong();
    private final RailAccounts accounts =
            new RailAccounts(FixedRail.answering("bank", SETTLED).facts(), 2, clock, nanos::get);

    @Test
    void anIdleAccountIsDroppedWithItsBreaker() {
        IntStream.range(0, 20)
                .forEach(i ->
                        call("account-1", () -> CompletableFuture.failedFuture(new IllegalStateException("refused"))));

        nanos.addAndGet(TimeUnit.MINUTES.toNanos(59));
        assertThat(accounts.openBreakers()).isEqualTo(1);
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));

        assertThat(call("account-1", () -> CompletableFuture.completedFuture(SETTLED)))
                .isCompletedWithValue(SETTLED);
        assertThat(accounts.openBreakers()).isZero();
    }

    /** A rail that does not answer would otherwise hold the transactions of all accounts. */
    @Test
    void callsAboveTheBoundOfARailAreNotMade() {
        CompletableFuture<RailOutcome> never = new CompletableFuture<>();
        for (int i = 0; i < ProcessorMemoryBudget.SUBMISSIONS_MAX; i++) {
            submit("account " + i % 3, i, () -> never);
        }

        assertThat(submit("another", 2_000, () -> CompletableFuture.completedFuture(SETTLED)))
                .isCompletedWithValue(NOT_STARTED);

        never.complete(SETTLED);
        assertThat(submit("another", 2_000, () -> CompletableFuture.completedFuture(SETTLED)))
                .isCompletedWithValue(SETTLED);
    }

    @Test
    void aTenantLeavesHalfOfTheRoomToOthers() {
        CompletableFuture<RailOutcome> never = new CompletableFuture<>();
        int half = ProcessorMemoryBudget.SUBMISSIONS_MAX / 2;
        for (int i = 0; i < half; i++) {
            assertThat(submit("account", 1, () -> never)).isNotDone();
        }
        assertThat(submit("account", 1, () -> never)).isCompletedWithValue(NOT_STARTED);
        for (int i = 0; i < half / 2; i++) {
            assertThat(submit("account", 2, () -> never)).isNotDone();
        }
        assertThat(submit("account", 2, () -> never)).isCompletedWithValue(NOT_STARTED);
        assertThat(submit("account", 3, () -> never)).isNotDone();

        never.complete(SETTLED);
        assertThat(submit("account", 1, () -> new CompletableFuture<>())).isNotDone();
    }

    private CompletableFuture<RailOutcome> call(String account, Supplier<CompletableFuture<RailOutcome>> rail) {
        return submit(account, 1, rail);
    }

    private CompletableFuture<RailOutcome> submit(
            String account, int merchant, Supplier<CompletableFuture<RailOutcome>> rail) {
        return accounts.call(
                account,
                RailCallKind.SUBMIT,
                new Tenant(merchant),
                rail,
                clock.instant().plus(Duration.ofDays(1)),
                NOT_STARTED);
    }
}
