package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RailAccountsTest {

    private static final Duration LOOK_EVERY = Duration.ofMinutes(10);
    private static final RailFacts ONE_CALL_AT_ONCE = new RailFacts(
            "bank",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            RailFacts.Inquiry.BY_ID,
            false,
            1,
            Duration.ofSeconds(10),
            transaction -> false);
    private static final int THREADS = 4;
    private static final int CALLS_OF_A_THREAD = 10_000;
    private static final Duration CENTURY = Duration.ofDays(36_500);
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();
    private static final RailOutcome NOT_STARTED = new RailOutcome.NotStarted();

    private final TestClock clock = TestClock.frozen();
    private final RailAccounts accounts = new RailAccounts(ONE_CALL_AT_ONCE, clock);

    @Test
    void anAccountWithoutACallForTwentyMinutesIsDroppedWithItsBreaker() {
        openBreaker("account-1");

        dueCheck();
        assertThat(accounts.openBreakers()).as("it was called before this look").isEqualTo(1);
        dueCheck();

        assertThat(accounts.openBreakers()).isZero();
        assertThat(call("account-1", () -> CompletableFuture.completedFuture(SETTLED)))
                .isCompletedWithValue(SETTLED);
    }

    @Test
    void anAccountThatWasCalledSinceTheLastLookKeepsItsBreaker() {
        openBreaker("account-1");
        dueCheck();
        assertThat(call("account-1", CompletableFuture::new)).isCompletedWithValue(NOT_STARTED);

        dueCheck();

        assertThat(accounts.openBreakers()).isEqualTo(1);
    }

    /** Two entries of one account would each allow as many calls. */
    @Test
    void anAccountWithARailCallIsKeptHoweverLongTheCallTakes() {
        CompletableFuture<RailOutcome> answer = new CompletableFuture<>();
        CompletableFuture<RailOutcome> first = call("account-1", () -> answer);
        dueCheck();
        dueCheck();

        AtomicInteger begun = new AtomicInteger();
        call("account-1", () -> {
            begun.incrementAndGet();
            return new CompletableFuture<>();
        });

        assertThat(begun).as("the account has its one call").hasValue(0);
        answer.complete(SETTLED);
        assertThat(first).isCompletedWithValue(SETTLED);
        assertThat(begun).hasValue(1);
    }

    /** Every call of the threads looks for idle accounts first. */
    @Test
    void anAccountHasAtMostItsCallsAtOnceWhileIdleAccountsAreDropped() {
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        ExecutorService bank = Executors.newFixedThreadPool(THREADS);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Supplier<CompletableFuture<RailOutcome>> rail = () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            return CompletableFuture.supplyAsync(
                    () -> {
                        running.decrementAndGet();
                        return SETTLED;
                    },
                    bank);
        };
        Runnable caller = () -> {
            for (int i = 0; i < CALLS_OF_A_THREAD; i++) {
                clock.move(LOOK_EVERY);
                call("account-1", rail).join();
            }
        };

        try {
            CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(caller, callers))
                            .limit(THREADS)
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            callers.shutdownNow();
            bank.shutdownNow();
        }
        assertThat(most).hasValue(1);
    }

    /** A rail that does not answer would otherwise hold the transactions of all accounts. */
    @Test
    void callsAboveTheBoundOfARailAreNotMade() {
        CompletableFuture<RailOutcome> never = new CompletableFuture<>();
        for (int i = 0; i < ProcessorMemoryBudget.SUBMISSIONS_MAX; i++) {
            call("account " + i % 3, () -> never);
        }

        assertThat(call("another", () -> CompletableFuture.completedFuture(SETTLED)))
                .isCompletedWithValue(NOT_STARTED);

        never.complete(SETTLED);
        assertThat(call("another", () -> CompletableFuture.completedFuture(SETTLED)))
                .isCompletedWithValue(SETTLED);
    }

    private void openBreaker(String account) {
        IntStream.range(0, 20)
                .forEach(
                        i -> call(account, () -> CompletableFuture.failedFuture(new IllegalStateException("refused"))));
        assertThat(accounts.openBreakers()).isEqualTo(1);
    }

    /** A call of another account, when a look for idle accounts is due. */
    private void dueCheck() {
        clock.move(LOOK_EVERY);
        call("other", () -> CompletableFuture.completedFuture(SETTLED));
    }

    private CompletableFuture<RailOutcome> call(String account, Supplier<CompletableFuture<RailOutcome>> rail) {
        return accounts.call(
                account,
                RailCallKind.SUBMIT,
                calls -> calls.make(RailCallKind.SUBMIT, rail, clock.instant().plus(CENTURY), NOT_STARTED),
                NOT_STARTED);
    }
}
