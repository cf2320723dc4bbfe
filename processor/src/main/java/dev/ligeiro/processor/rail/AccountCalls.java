package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.support.work.StartLoop;
import dev.ligeiro.transaction.Tenant;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one rail for one paying account: at most as many at once as are permitted, and none while the rail's circuit breaker is
 * open. The others wait; {@link RailAccounts} bounds how many. A call that is not made does not count for the circuit breaker. A bulkhead of
 * a library would replace two counters here: none keeps the order of what waits, or changes its limit without losing the calls that run.
 */
final class AccountCalls {

    private final CircuitBreaker breaker;
    private final Duration timeout;
    private final Clock clock;
    /** Also the lock of the four fields below. */
    private final Queue waiting = new Queue();

    private final StartLoop starts = new StartLoop(this::startNext);
    private int running;
    private int permitted;
    private Instant permittedUntil = Instant.MAX;
    /** The most calls that were running or waiting at once since the last {@link #permit}. */
    private int wanted;

    /** @param permitted the calls at once, without end until {@link #permit} says otherwise */
    AccountCalls(int permitted, CircuitBreaker breaker, Duration timeout, Clock clock) {
        this.permitted = permitted;
        this.breaker = breaker;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** Whether the circuit breaker is open, or lets a few calls through to see whether the rail is back. */
    boolean isOpen() {
        return breaker.getState() != CircuitBreaker.State.CLOSED;
    }

    /**
     * Changes how many calls may run at once. Those that are running go on; no call starts after {@code until}.
     *
     * @return how many were running at the change
     */
    int permit(int calls, Instant until) {
        int runningNow;
        synchronized (waiting) {
            permitted = calls;
            permittedUntil = until;
            wanted = unfinished();
            runningNow = running;
        }
        starts.run();
        return runningNow;
    }

    /** Starts the calls that may start now, and ends those that are late. */
    void startWaiting() {
        starts.run();
    }

    int permitted() {
        synchronized (waiting) {
            return clock.instant().isAfter(permittedUntil) ? 0 : permitted;
        }
    }

    int wanted() {
        synchronized (waiting) {
            return wanted;
        }
    }

    int waiting() {
        synchronized (waiting) {
            return waiting.size;
        }
    }

    private int unfinished() {
        return running + waiting.size;
    }

    /**
     * Makes the call now or when an earlier one ends. If no call waits before it, it is made on the caller's thread.
     *
     * @param tenant null for a call of no transaction
     * @param startBy the call is not made after this time
     * @param notMade the outcome when the call is not made
     */
    <A> CompletableFuture<A> make(
            RailCallKind kind,
            @Nullable Tenant tenant,
            Supplier<CompletableFuture<A>> call,
            Instant startBy,
            A notMade) {
        WaitingCall<A> added = new WaitingCall<>(call, startBy, notMade, new CompletableFuture<>());
        add(kind, tenant, added).run();
        return added.outcome();
    }

    /** What to do then, outside of the lock. */
    private Runnable add(RailCallKind kind, @Nullable Tenant tenant, WaitingCall<?> added) {
        synchronized (waiting) {
            waiting.add(kind, tenant, added);
            Runnable step = waiting.first() == added ? nextStep() : null;
            wanted = Math.max(wanted, unfinished());
            return step == null ? starts::run : step;
        }
    }

    /** Ends the call if it is late, or starts it; null if the call must wait. */
    private @Nullable Runnable stepNow(WaitingCall<?> first) {
        Instant now = clock.instant();
        if (now.isAfter(first.startBy())) {
            return first::endNotMade;
        }
        if (running >= permitted || now.isAfter(permittedUntil)) {
            return null;
        }
        running++;
        return () -> start(first);
    }

    private void ended() {
        synchronized (waiting) {
            running--;
        }
    }

    private boolean startNext() {
        Runnable step = nextStep();
        if (step == null) {
            return false;
        }
        step.run();
        return true;
    }

    private @Nullable Runnable nextStep() {
        synchronized (waiting) {
            WaitingCall<?> first = waiting.first();
            Runnable step = first == null ? null : stepNow(first);
            if (step != null) {
                waiting.removeFirst();
            }
            return step;
        }
    }

    private <A> void start(WaitingCall<A> next) {
        if (!breaker.tryAcquirePermission()) {
            ended();
            next.endNotMade();
            starts.run();
            return;
        }
        long startedNanos = System.nanoTime();
        answer(next.call()).thenApply(Objects::requireNonNull).whenComplete((outcome, fault) -> {
            long nanos = System.nanoTime() - startedNanos;
            if (fault != null) {
                breaker.onError(nanos, TimeUnit.NANOSECONDS, fault);
            } else {
                breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
            }
            ended();
            if (fault != null) {
                next.outcome().completeExceptionally(fault);
            } else {
                next.outcome().complete(outcome);
            }
            starts.run();
        });
    }

    /** The answer in time. A call that has timed out is cancelled before the next one may start. */
    private <A> CompletableFuture<A> answer(Supplier<CompletableFuture<A>> call) {
        try {
            CompletableFuture<A> answer = call.get();
            return answer.isDone()
                    ? answer
                    : answer.copy()
                            .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                            .whenComplete((outcome, fault) -> answer.cancel(true));
        } catch (RuntimeException | Error fault) {
            // an error too: the permit must come back
            return CompletableFuture.failedFuture(fault);
        }
    }

    /**
     * The waiting calls in the order in which they start. Inquiries are first: they are few, they free the money of unknown outcomes, and they
     * may wait for less time. Then submissions and calls of no transaction take turns, and so do the tenants of the submissions: however many
     * calls one tenant has, the first call of another waits for one of each.
     */
    private static final class Queue {

        private final Deque<WaitingCall<?>> inquiries = new ArrayDeque<>();
        /** Calls of no transaction, such as those that make payload locations. */
        private final Deque<WaitingCall<?>> general = new ArrayDeque<>();
        /** The tenant whose turn is next first. */
        private final Map<Tenant, Deque<WaitingCall<?>>> submissions = new LinkedHashMap<>();

        private boolean isTurnOfGeneral;
        private int size;

        void add(RailCallKind kind, @Nullable Tenant tenant, WaitingCall<?> call) {
            if (kind != RailCallKind.SUBMIT) {
                inquiries.add(call);
            } else if (tenant == null) {
                general.add(call);
            } else {
                submissions.computeIfAbsent(tenant, first -> new ArrayDeque<>()).add(call);
            }
            size++;
        }

        /** The call that starts next; null when none waits. */
        @Nullable
        WaitingCall<?> first() {
            return size == 0 ? null : line().peek();
        }

        void removeFirst() {
            Deque<WaitingCall<?>> line = line();
            line.remove();
            size--;
            if (line == inquiries) {
                return;
            }
            isTurnOfGeneral = line != general;
            if (line != general) {
                Tenant tenant = submissions.keySet().iterator().next();
                submissions.remove(tenant);
                if (!line.isEmpty()) {
                    submissions.put(tenant, line);
                }
            }
        }

        private Deque<WaitingCall<?>> line() {
            if (!inquiries.isEmpty()) {
                return inquiries;
            }
            boolean isGeneral = submissions.isEmpty() || isTurnOfGeneral && !general.isEmpty();
            return isGeneral ? general : submissions.values().iterator().next();
        }
    }

    /**
     * A call that is not made yet.
     *
     * @param outcome completed by the answer, or by {@code notMade}
     */
    private record WaitingCall<A>(
            Supplier<CompletableFuture<A>> call, Instant startBy, A notMade, CompletableFuture<A> outcome) {

        void endNotMade() {
            outcome.complete(notMade);
        }
    }
}
