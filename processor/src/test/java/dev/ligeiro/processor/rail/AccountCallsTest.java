package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Tenant;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** However many calls a tenant has, the first call of another waits for one of it and for one of no transaction. */
    @ParameterizedTest
    @CsvSource({
        // calls as they come: of tenant a, b or c, of no transaction (x), or inquiries (?); a dot ends the running one
        "a1 a2 a3 a4 b1 b2 . . c1,   a1 a2 b1 a3 b2 c1 a4",
        "a1 a2 b1 x1 x2 x3 x4,       a1 x1 a2 x2 b1 x3 x4",
        "a0 a1 a2 b1 . ?1 ?2,        a0 a1 ?1 ?2 b1 a2",
    })
    void inquiriesAreFirstThenTenantsAndCallsOfNoTransactionTakeTurns(String calls, String order) {
        List<String> made = new ArrayList<>();
        Deque<CompletableFuture<RailOutcome>> running = new ArrayDeque<>();
        for (String call : calls.split(" ")) {
            if (call.equals(".")) {
                running.remove().complete(SETTLED);
                continue;
            }
            char of = call.charAt(0);
            this.calls.make(
                    of == '?' ? RailCallKind.INQUIRE : RailCallKind.SUBMIT,
                    of == 'x' ? null : new Tenant(2L * of),
                    () -> {
                        made.add(call);
                        running.add(new CompletableFuture<>());
                        return running.getLast();
                    },
                    clock.instant().plus(TIMEOUT),
                    NOT_MADE);
        }
        while (!running.isEmpty()) {
            running.remove().complete(SETTLED);
        }

        assertThat(made).containsExactly(order.split(" "));
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
