package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.support.work.Interval;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The paying accounts of one rail. An account that has had no call for 10 to 20 minutes is dropped when the rail is next called, since each
 * takes 2 kB and the simulator has one for each tenant. An account with a call is never dropped: two entries of one account would together
 * make more calls at once than the rail allows.
 */
final class RailAccounts {

    private static final float FAILURE_PERCENT_MAX = 50;
    private static final int FAILURES_OF = 20;
    private static final Duration OPEN_FOR = Duration.ofSeconds(10);
    private static final CircuitBreakerConfig FAILURES = CircuitBreakerConfig.custom()
            .failureRateThreshold(FAILURE_PERCENT_MAX)
            .slidingWindowSize(FAILURES_OF)
            .minimumNumberOfCalls(FAILURES_OF)
            .waitDurationInOpenState(OPEN_FOR)
            .build();
    /** Much longer than {@link #OPEN_FOR}: the record of a dropped breaker is too old to matter. */
    private static final Duration CHECK_EVERY = Duration.ofMinutes(10);

    private final BulkheadConfig callsAtOnce;
    private final Duration callTimeout;
    private final Clock clock;
    private final Map<String, Account> byName = new ConcurrentHashMap<>();
    /** The calls of all accounts that are waiting or not answered yet. Inquiries need room while there are too many submissions. */
    private final AtomicInteger submissions = new AtomicInteger();

    private final AtomicInteger inquiries = new AtomicInteger();

    private final Interval checks = new Interval(CHECK_EVERY);

    RailAccounts(RailFacts facts, Clock clock) {
        this.callsAtOnce = BulkheadConfig.custom()
                .maxConcurrentCalls(facts.callsAtOnceMax())
                .build();
        this.callTimeout = facts.callTimeout();
        this.clock = clock;
    }

    /**
     * @param call makes a call for the account of this name; its future completes in any case
     * @param notMade the outcome when the rail has too many calls
     */
    CompletableFuture<RailOutcome> call(
            String name,
            RailCallKind kind,
            Function<AccountCalls, CompletableFuture<RailOutcome>> call,
            RailOutcome notMade) {
        boolean submits = kind == RailCallKind.SUBMIT;
        AtomicInteger held = submits ? submissions : inquiries;
        if (held.incrementAndGet()
                > (submits ? ProcessorMemoryBudget.SUBMISSIONS_MAX : ProcessorMemoryBudget.INQUIRIES_MAX)) {
            held.decrementAndGet();
            return CompletableFuture.completedFuture(notMade);
        }
        if (checks.begin(clock.instant())) {
            dropIdle();
        }
        Account account =
                byName.compute(name, (key, known) -> (known == null ? new Account(calls(key)) : known).begin());
        return call.apply(account.calls).whenComplete((outcome, fault) -> {
            account.open.decrementAndGet();
            held.decrementAndGet();
        });
    }

    /** How many accounts have an open circuit breaker. */
    long openBreakers() {
        return byName.values().stream()
                .filter(account -> account.calls.isOpen())
                .count();
    }

    /** Under the map's lock of each account, so that no call of it begins between the check and the removal. */
    private void dropIdle() {
        byName.keySet()
                .forEach(name -> byName.computeIfPresent(name, (key, account) -> account.isIdle() ? null : account));
    }

    private AccountCalls calls(String name) {
        return new AccountCalls(Bulkhead.of(name, callsAtOnce), CircuitBreaker.of(name, FAILURES), callTimeout, clock);
    }

    /** The calls of an account, and whether it is idle. Its methods run under the map's lock. */
    private static final class Account {

        private final AccountCalls calls;
        private final AtomicInteger open = new AtomicInteger();
        private boolean begunSinceCheck;

        private Account(AccountCalls calls) {
            this.calls = calls;
        }

        private Account begin() {
            open.incrementAndGet();
            begunSinceCheck = true;
            return this;
        }

        /** Whether no call has begun since the check before, and none is open. */
        private boolean isIdle() {
            boolean idle = open.get() == 0 && !begunSinceCheck;
            begunSinceCheck = false;
            return idle;
        }
    }
}
