package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Tenant;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
    private static final Tenant TENANT = new Tenant(2);
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();
    private static final RailOutcome NOT_MADE = new RailOutcome.NotStarted();

    private final TestClock clock = TestClock.frozen();
    private final CircuitBreaker breaker = CircuitBreaker.ofDefaults("account");
    private final AccountCalls calls = new AccountCalls(1, breaker, TIMEOUT, clock);
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
        assertThat(running()).isZero();
    }

    @Test
    void waitingCallsThatAreLateEndWithoutACallAndLeaveAllPermits() {
        submit(() -> slow);
        List<CompletableFuture<RailOutcome>> waiting = fillQueue(CompletableFuture::new);
        clock.move(TIMEOUT.plusMillis(1));

        slow.complete(SETTLED);

        assertThat(waiting).allSatisfy(outcome -> assertThat(outcome).isCompletedWithValue(NOT_MADE));
        assertThat(running()).isZero();
    }

    @Test
    void aLateCallNeitherCountsForTheBreakerNorTakesItsPermission() {
        Instant past = clock.instant().minusMillis(1);
        calls.make(RailCallKind.SUBMIT, TENANT, () -> slow, past, NOT_MADE);
        assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isZero();

        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        int probes = breaker.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState();
        IntStream.range(0, probes).forEach(i -> calls.make(RailCallKind.SUBMIT, TENANT, () -> slow, past, NOT_MADE));

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

        assertThat(running()).isZero();
    }

    @Test
    void noCallStartsAboveWhatIsPermittedNowOrAfterItsEnd() {
        calls.permit(0, Instant.MAX);
        CompletableFuture<RailOutcome> waiting = submit(() -> CompletableFuture.completedFuture(SETTLED));
        assertThat(waiting).isNotDone();
        assertThat(calls.waiting()).isEqualTo(1);
        calls.permit(1, clock.instant());
        assertThat(waiting).isCompletedWithValue(SETTLED);

        clock.move(Duration.ofMillis(1));
        assertThat(calls.permitted()).isZero();
        assertThat(submit(() -> slow)).isNotDone();
        assertThat(calls.permit(2, clock.instant())).isZero();
        assertThat(calls.permit(0, Instant.MAX)).isEqualTo(1);
        assertThat(calls.wanted()).isEqualTo(1);
    }

    @Test
    void aCallOfAnotherTenantAndOneOfNoTransactionWaitForOneCallEach() {
        List<String> made = new ArrayList<>();
        submit(() -> slow);
        fillQueue(recorded("busy", made));
        Instant startBy = clock.instant().plus(TIMEOUT);
        calls.make(RailCallKind.SUBMIT, new Tenant(4), recorded("other", made), startBy, NOT_MADE);
        calls.make(RailCallKind.SUBMIT, null, recorded("location", made), startBy, NOT_MADE);
        assertThat(made).isEmpty();

        slow.complete(SETTLED);

        assertThat(made).startsWith("location", "busy", "other", "busy").hasSize(WAITING_MAX + 2);
    }

    /** Nothing else would end it while this processor has no share of the account's calls. */
    @Test
    void aCallThatIsLateEndsWithoutAPermittedOne() {
        calls.permit(0, Instant.MAX);
        CompletableFuture<RailOutcome> waiting = submit(() -> slow);
        clock.move(TIMEOUT.plusMillis(1));

        calls.startWaiting();

        assertThat(waiting).isCompletedWithValue(NOT_MADE);
    }

    private static Supplier<CompletableFuture<RailOutcome>> recorded(String call, List<String> made) {
        return () -> {
            made.add(call);
            return CompletableFuture.completedFuture(SETTLED);
        };
    }

    private CompletableFuture<RailOutcome> submit(Supplier<CompletableFuture<RailOutcome>> call) {
        return calls.make(RailCallKind.SUBMIT, TENANT, call, clock.instant().plus(TIMEOUT), NOT_MADE);
    }

    private List<CompletableFuture<RailOutcome>> fillQueue(Supplier<CompletableFuture<RailOutcome>> call) {
        return Stream.generate(() -> submit(call)).limit(WAITING_MAX).toList();
    }

    private int running() {
        return calls.permit(1, Instant.MAX);
    }
}
