package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * One round of {@link AttemptRound}. It has a line of deliveries per endpoint; when an attempt ends, the next one of its line starts,
 * unless too many have failed in a row. Closing the round empties the lines, so a delivery waits in memory at most for the round's
 * window.
 */
final class RunningRound {

    /** After so many failures in a row the rest of a line is left to the endpoint's lane, which has a circuit breaker. */
    private static final int FAILURES_MAX = 10;

    private final Function<Dispatch, Mono<Completed>> attempt;
    private final InFlight inFlight;
    private final Consumer<Completed> late;
    private final Sinks.Empty<Void> allEnded = Sinks.empty();

    private final Map<UUID, Line> lines = new LinkedHashMap<>();
    private final Set<Dispatch> running = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Completed> completed = new ArrayList<>();
    private boolean closed;

    /** Lines whose next attempt may be able to start. */
    private final Queue<Line> ready = new ConcurrentLinkedQueue<>();
    /** Lines that got no permit of {@link InFlight}; any attempt that ends may free one for them. */
    private final Queue<Line> blocked = new ConcurrentLinkedQueue<>();

    private final AtomicInteger requests = new AtomicInteger();

    /** The deliveries to one endpoint that wait. */
    private static final class Line {

        private final WebhookEndpoint endpoint;
        private final Queue<Dispatch> waiting = new ArrayDeque<>();
        private int failures;

        private Line(WebhookEndpoint endpoint) {
            this.endpoint = endpoint;
        }
    }

    /**
     * @param attempt makes one attempt; it never gives an error
     * @param late receives each attempt that ends after {@link #close}
     */
    RunningRound(
            List<Dispatch> dispatches,
            Function<Dispatch, Mono<Completed>> attempt,
            InFlight inFlight,
            Consumer<Completed> late) {
        this.attempt = attempt;
        this.inFlight = inFlight;
        this.late = late;
        for (Dispatch dispatch : dispatches) {
            lines.computeIfAbsent(dispatch.endpoint().id(), id -> new Line(dispatch.endpoint()))
                    .waiting
                    .add(dispatch);
        }
    }

    void start() {
        ready.addAll(lines.values());
        startReady();
    }

    /** Completes when no attempt runs and no further one can start. Endpoints at their limit do not delay it. */
    Mono<Void> allEnded() {
        return allEnded.asMono();
    }

    /** Starts no further attempts and gives the result. */
    synchronized RoundResult close() {
        closed = true;
        List<Dispatch> notStarted =
                lines.values().stream().flatMap(line -> line.waiting.stream()).toList();
        lines.values().forEach(line -> line.waiting.clear());
        return new RoundResult(List.copyOf(completed), List.copyOf(running), notStarted);
    }

    /**
     * Starts the attempts of ready lines. One thread at a time runs the loop, for itself and for the threads that call
     * meanwhile: an attempt that ends during its own start must not start the next one recursively.
     */
    private void startReady() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int handled = 1;
        do {
            for (Line line = ready.poll(); line != null; line = ready.poll()) {
                start(line);
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

    private void start(Line line) {
        while (inFlight.tryAcquire(line.endpoint)) {
            Dispatch next = next(line);
            if (next == null) {
                inFlight.release(line.endpoint);
                return;
            }
            attempt.apply(next).subscribe(this::ended);
        }
        blocked.add(line);
    }

    private synchronized @Nullable Dispatch next(Line line) {
        Dispatch next = line.failures < FAILURES_MAX ? line.waiting.poll() : null;
        if (next != null) {
            running.add(next);
        }
        return next;
    }

    private void ended(Completed dispatch) {
        Line line =
                Objects.requireNonNull(lines.get(dispatch.dispatch().endpoint().id()));
        inFlight.release(line.endpoint);
        // before recordInTime: endIfNothingRuns must see this line as ready once the attempt no longer runs
        ready.add(line);
        Line other = blocked.poll();
        if (other != null) {
            ready.add(other);
        }
        if (recordInTime(dispatch, line)) {
            startReady();
        } else {
            late.accept(dispatch);
        }
    }

    /** Records the completed attempt; false if the round is already closed. */
    private synchronized boolean recordInTime(Completed dispatch, Line line) {
        running.remove(dispatch.dispatch());
        if (closed) {
            return false;
        }
        line.failures = dispatch.outcome() == AttemptOutcome.DELIVERED ? 0 : line.failures + 1;
        completed.add(dispatch);
        return true;
    }
}
