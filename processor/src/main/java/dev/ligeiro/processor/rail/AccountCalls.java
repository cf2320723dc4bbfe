package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailOutcome;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one rail for one paying account: at most as many at once as the rail allows, in the order of their arrival, and none
 * while the rail's circuit breaker is open. Waiting calls are bounded; one above the bound is not started.
 */
final class AccountCalls {

    private static final int WAITING_MAX = 1_000;

    private final Bulkhead bulkhead;
    private final CircuitBreaker breaker;
    private final Duration timeout;
    private final Deque<Waiting> queue = new ArrayDeque<>();

    AccountCalls(Bulkhead bulkhead, CircuitBreaker breaker, Duration timeout) {
        this.bulkhead = bulkhead;
        this.breaker = breaker;
        this.timeout = timeout;
    }

    /**
     * Makes the call now or when an earlier one ends.
     *
     * @param call may give an outcome without calling the rail, for example when it has waited for too long
     * @param notMade the outcome when the call is not made
     */
    CompletableFuture<RailOutcome> submit(Supplier<CompletableFuture<RailOutcome>> call, RailOutcome notMade) {
        Waiting waiting = new Waiting(call, notMade, new CompletableFuture<>());
        synchronized (queue) {
            if (queue.size() >= WAITING_MAX) {
                return CompletableFuture.completedFuture(notMade);
            }
            queue.add(waiting);
        }
        startWaiting();
        return waiting.outcome;
    }

    private void startWaiting() {
        for (Waiting next = takeNext(); next != null; next = takeNext()) {
            start(next);
        }
    }

    private @Nullable Waiting takeNext() {
        synchronized (queue) {
            return !queue.isEmpty() && bulkhead.tryAcquirePermission() ? queue.poll() : null;
        }
    }

    private void start(Waiting next) {
        if (!breaker.tryAcquirePermission()) {
            bulkhead.onComplete();
            next.outcome.complete(next.notMade);
            return;
        }
        long startedNanos = System.nanoTime();
        answer(next.call).whenComplete((outcome, fault) -> {
            long nanos = System.nanoTime() - startedNanos;
            if (fault != null) {
                breaker.onError(nanos, TimeUnit.NANOSECONDS, fault);
            } else {
                breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
            }
            bulkhead.onComplete();
            if (fault != null) {
                next.outcome.completeExceptionally(fault);
            } else {
                next.outcome.complete(outcome);
            }
            startWaiting();
        });
    }

    private CompletableFuture<RailOutcome> answer(Supplier<CompletableFuture<RailOutcome>> call) {
        try {
            CompletableFuture<RailOutcome> answer = call.get();
            return answer.isDone() ? answer : answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    private record Waiting(
            Supplier<CompletableFuture<RailOutcome>> call,
            RailOutcome notMade,
            CompletableFuture<RailOutcome> outcome) {}
}
