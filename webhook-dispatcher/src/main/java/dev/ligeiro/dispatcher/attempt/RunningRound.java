package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * One round of {@link AttemptRound}. It has a queue per endpoint; when an attempt ends, the next one of a queue starts. Closing the
 * round empties the queues, so a delivery waits in memory at most for the round's window.
 */
final class RunningRound {

    private final Function<PendingDispatch, Mono<CompletedDispatch>> attempt;
    private final InFlight inFlight;
    private final Consumer<CompletedDispatch> late;
    private final Sinks.Empty<Void> allEnded = Sinks.empty();

    private final Map<UUID, Queue<PendingDispatch>> waiting = new LinkedHashMap<>();
    private final Set<PendingDispatch> running = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<CompletedDispatch> completed = new ArrayList<>();
    private boolean closed;

    /** Endpoints whose next attempt may be able to start. */
    private final Queue<UUID> ready = new ConcurrentLinkedQueue<>();
    /** Endpoints that got no permit of {@link InFlight}; any attempt that ends may free one for them. */
    private final Queue<UUID> blocked = new ConcurrentLinkedQueue<>();

    private final AtomicInteger requests = new AtomicInteger();

    /**
     * @param attempt makes one attempt; it never gives an error
     * @param late receives each attempt that ends after {@link #close}
     */
    RunningRound(
            List<PendingDispatch> dispatches,
            Function<PendingDispatch, Mono<CompletedDispatch>> attempt,
            InFlight inFlight,
            Consumer<CompletedDispatch> late) {
        this.attempt = attempt;
        this.inFlight = inFlight;
        this.late = late;
        for (PendingDispatch dispatch : dispatches) {
            waiting.computeIfAbsent(dispatch.endpoint().id(), id -> new ArrayDeque<>())
                    .add(dispatch);
        }
    }

    void start() {
        ready.addAll(waiting.keySet());
        startReady();
    }

    /** Completes when no attempt runs and no further one can start. Endpoints at their limit do not delay it. */
    Mono<Void> allEnded() {
        return allEnded.asMono();
    }

    /** Starts no further attempts and gives the result. */
    synchronized RoundResult close() {
        closed = true;
        List<PendingDispatch> notStarted =
                waiting.values().stream().flatMap(Queue::stream).toList();
        waiting.clear();
        return new RoundResult(List.copyOf(completed), List.copyOf(running), notStarted);
    }

    /**
     * Starts the attempts of ready endpoints. One thread at a time runs the loop, for itself and for the threads that call
     * meanwhile: an attempt that ends during its own start must not start the next one recursively.
     */
    private void startReady() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int handled = 1;
        do {
            for (UUID endpointId = ready.poll(); endpointId != null; endpointId = ready.poll()) {
                startQueue(endpointId);
            }
            handled = requests.addAndGet(-handled);
        } while (handled != 0);
        endIfNothingRuns();
    }

    /** The remaining attempts cannot start: their endpoints are at their limit, and no attempt of this round is still running. */
    private synchronized void endIfNothingRuns() {
        if (running.isEmpty() && ready.isEmpty()) {
            allEnded.tryEmitEmpty();
        }
    }

    private void startQueue(UUID endpointId) {
        while (inFlight.tryAcquire(endpointId)) {
            PendingDispatch next = next(endpointId);
            if (next == null) {
                inFlight.release(endpointId);
                return;
            }
            attempt.apply(next).subscribe(this::ended);
        }
        blocked.add(endpointId);
    }

    private synchronized @Nullable PendingDispatch next(UUID endpointId) {
        Queue<PendingDispatch> queue = waiting.get(endpointId);
        PendingDispatch next = queue == null ? null : queue.poll();
        if (next != null) {
            running.add(next);
        }
        return next;
    }

    private void ended(CompletedDispatch dispatch) {
        UUID endpointId = dispatch.dispatch().endpoint().id();
        inFlight.release(endpointId);
        // before recordInTime: endIfNothingRuns must see this endpoint as ready once the attempt no longer runs
        ready.add(endpointId);
        UUID other = blocked.poll();
        if (other != null) {
            ready.add(other);
        }
        if (recordInTime(dispatch)) {
            startReady();
        } else {
            late.accept(dispatch);
        }
    }

    /** Records the completed attempt; false if the round is already closed. */
    private synchronized boolean recordInTime(CompletedDispatch dispatch) {
        running.remove(dispatch.dispatch());
        if (closed) {
            return false;
        }
        completed.add(dispatch);
        return true;
    }
}
