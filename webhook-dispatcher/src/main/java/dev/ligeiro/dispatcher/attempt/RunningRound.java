package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.attempt.AttemptRound.Tally;
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
 * One round of {@link AttemptRound}: a queue per endpoint, from which the next attempt begins when one has ended. When the round is
 * closed its queues are emptied, so nothing waits in memory for longer than the window.
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

    /** Endpoints whose queue is worth another look. */
    private final Queue<UUID> ready = new ConcurrentLinkedQueue<>();
    /** Endpoints that found no room, perhaps because all of it was taken. */
    private final Queue<UUID> stalled = new ConcurrentLinkedQueue<>();

    private final AtomicInteger signals = new AtomicInteger();

    /**
     * @param attempt makes one attempt; it never fails
     * @param late is handed each attempt that ends after {@link #close}
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
        pump();
    }

    /** Ends when every attempt has that there was room for: nobody is waited for whose endpoint is full already. */
    Mono<Void> allEnded() {
        return allEnded.asMono();
    }

    /** Starts no more, and says how things stand. */
    synchronized Tally close() {
        closed = true;
        List<PendingDispatch> unbegun =
                waiting.values().stream().flatMap(Queue::stream).toList();
        waiting.clear();
        return new Tally(List.copyOf(completed), List.copyOf(running), unbegun);
    }

    /** Starts what there is room for. One thread at a time: an attempt that ends while it is started must not nest. */
    private void pump() {
        if (signals.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (UUID endpointId = ready.poll(); endpointId != null; endpointId = ready.poll()) {
                startAllOf(endpointId);
            }
            seen = signals.addAndGet(-seen);
        } while (seen != 0);
        endIfNothingRuns();
    }

    /** What has not begun by now has no room, and nothing of this round is left to make some. */
    private synchronized void endIfNothingRuns() {
        if (running.isEmpty() && ready.isEmpty()) {
            allEnded.tryEmitEmpty();
        }
    }

    private void startAllOf(UUID endpointId) {
        while (inFlight.tryStart(endpointId)) {
            PendingDispatch next = next(endpointId);
            if (next == null) {
                inFlight.end(endpointId);
                return;
            }
            attempt.apply(next).subscribe(this::ended);
        }
        stalled.add(endpointId);
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
        inFlight.end(endpointId);
        // before it counts as ended: a round with an endpoint to look at is not over
        ready.add(endpointId);
        UUID other = stalled.poll();
        if (other != null) {
            ready.add(other);
        }
        if (noted(dispatch)) {
            pump();
        } else {
            late.accept(dispatch);
        }
    }

    /** Whether {@code dispatch} was in time. */
    private synchronized boolean noted(CompletedDispatch dispatch) {
        running.remove(dispatch.dispatch());
        if (closed) {
            return false;
        }
        completed.add(dispatch);
        return true;
    }
}
