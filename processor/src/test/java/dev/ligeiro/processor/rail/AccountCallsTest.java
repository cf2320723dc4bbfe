package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.testing.time.TestClock;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AccountCallsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int WAITING_MAX = 1_000;
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();
    private static final RailOutcome NOT_MADE = new RailOutcome.NotStarted();

    private final TestClock clock = TestClock.frozen();
    private final Bulkhead bulkhead =
            Bulkhead.of("account", BulkheadConfig.custom().maxConcurrentCalls(1).build());
    private final CircuitBreaker breaker = CircuitBreaker.ofDefaults("account");
    private final AccountCalls calls = new AccountCalls(bulkhead, breaker, TIMEOUT, clock);
    private final CompletableFuture<RailOutcome> slow = new CompletableFuture<>();

    @Test
    void waitingCallsThatEndAtOnceStartOneAfterTheOtherAndNotInsideEachOther() {
        submit(() -> slow);
        Set<Long> depths = new HashSet<>();
        List<CompletableFuture<RailOutcome>> waiting = fillQueue(() -> {
            depths.add(StackWalker.getInstance().walk(Stream::count));
            return CompletableFuture.completedFuture(SETTLED);
        });

        slow.complete(SETTLED);

        assertThat(waiting).allSatisfy(outcome -> assertThat(outcome).isCompletedWithValue(SETTLED));
        assertThat(depths).hasSize(1);
        assertThat(freePermits()).isEqualTo(1);
    }

    @Test
    void waitingCallsThatAreLateEndWithoutACallAndLeaveAllPermits() {
        submit(() -> slow);
        List<CompletableFuture<RailOutcome>> waiting = fillQueue(CompletableFuture::new);
        clock.move(TIMEOUT.plusMillis(1));

        slow.complete(SETTLED);

        assertThat(waiting).allSatisfy(outcome -> assertThat(outcome).isCompletedWithValue(NOT_MADE));
        assertThat(freePermits()).isEqualTo(1);
    }

    @Test
    void aLateCallNeitherCountsForTheBreakerNorTakesItsPermission() {
        Instant past = clock.instant().minusMillis(1);
        calls.make(RailCallKind.SUBMIT, () -> slow, past, NOT_MADE);
        assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isZero();

        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        int probes = breaker.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState();
        IntStream.range(0, probes).forEach(i -> calls.make(RailCallKind.SUBMIT, () -> slow, past, NOT_MADE));

        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        assertThat(submit(() -> CompletableFuture.completedFuture(SETTLED))).isCompletedWithValue(SETTLED);
        assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isEqualTo(1);
    }

    @Test
    void anErrorOfARailFreesItsPermit() {
        assertThat(submit(() -> {
                    throw new StackOverflowError();
                }))
                .isCompletedExceptionally();

        assertThat(freePermits()).isEqualTo(1);
    }

    private CompletableFuture<RailOutcome> submit(Supplier<CompletableFuture<RailOutcome>> call) {
        return calls.make(RailCallKind.SUBMIT, call, clock.instant().plus(TIMEOUT), NOT_MADE);
    }

    private List<CompletableFuture<RailOutcome>> fillQueue(Supplier<CompletableFuture<RailOutcome>> call) {
        return Stream.generate(() -> submit(call)).limit(WAITING_MAX).toList();
    }

    private int freePermits() {
        return bulkhead.getMetrics().getAvailableConcurrentCalls();
    }
}
