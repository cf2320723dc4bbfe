package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The first attempts of batches. {@link Attempts} decides when each starts, and all of this runs on its thread.
 *
 * <p>A batch ends when all its attempts have ended. After the window of 250 ms it leaves behind the attempts that have been running for longer.
 * Unstarted ones stay in the batch for up to eight windows while their endpoint is quick: a backlog then makes the consumer wait
 * instead of being stored twice. They are left to the endpoint's lane if the endpoint is too slow for them, or if they wait for a limit of
 * their own endpoint or tenant while other tenants have events too, which must not wait for this one.
 */
@Component
public class FirstAttempts {

    /** After so many failures in a row the rest of a line is left to the endpoint's lane, which has a circuit breaker. */
    private static final int FAILURES_MAX = 10;
    /** The attempts that wait for a quick endpoint must be over after so many windows at its present rate. */
    private static final int WINDOWS_AHEAD_MAX = 4;

    private static final int WINDOWS_MAX = 8;
    private static final int CHECKS_PER_WINDOW = 5;
    /** A tenant that had an event within this time must not wait for another one's limits. */
    private static final Duration OTHERS_WITHIN = Duration.ofMinutes(10);

    private final Attempts attempts;
    private final long windowNanos;
    private final long longestNanos;
    private final Map<UUID, Line> lines = new HashMap<>();
    private @Nullable Tenant lastTenant;
    private long severalTenantsUntil = Long.MIN_VALUE;

    FirstAttempts(Attempts attempts, WebhookProperties properties) {
        this.attempts = attempts;
        this.windowNanos = properties.batchWindow().toNanos();
        // an attempt that starts at the end still ends before the lease, see WebhookProperties
        Duration leaseHalf = properties.lease().dividedBy(2);
        this.longestNanos = Math.min(WINDOWS_MAX * windowNanos, leaseHalf.toNanos());
    }

    /**
     * The state of a batch's first attempts when the batch ends.
     *
     * @param completed the attempts that have ended
     * @param running the deliveries whose attempt is still running
     * @param notStarted the deliveries that are left to the lanes: their endpoint is too slow, fails or has asked for a pause, a limit was
     *     reached for too long, no thread is free for a DNS lookup, or no further attempt may start
     * @param slow the endpoints of {@code notStarted} whose attempts take so long that they would hold up further batches
     */
    public record Result(List<Completed> completed, List<Dispatch> running, List<Dispatch> notStarted, Set<UUID> slow) {

        static final Result NONE = new Result(List.of(), List.of(), List.of(), Set.of());
    }

    /**
     * Makes the first attempts of {@code dispatches}, starting those of one endpoint in their order. Gives the result on the thread of the
     * attempts.
     *
     * @param mayStart false if no further attempt may start
     * @param late receives each attempt of {@link Result#running} when it ends
     */
    public Mono<Result> run(List<Dispatch> dispatches, BooleanSupplier mayStart, Consumer<Completed> late) {
        if (dispatches.isEmpty()) {
            return Mono.just(Result.NONE);
        }
        return Mono.defer(() -> {
            Batch batch = new Batch(mayStart);
            attempts.execute(() -> batch.begin(dispatches, late));
            return batch.result.asMono().doOnCancel(() -> batch.canceled = true);
        });
    }

    /** The first attempts to one endpoint that wait, those of earlier batches first. */
    private final class Line extends Attempts.Source {

        private final Deque<First> waiting = new ArrayDeque<>();
        private int running;
        private int failures;
        /** The attempts that have ended since {@link #since}, the start of a window in which some have waited all the time. */
        private int ended;

        private long since;

        private Line(WebhookEndpoint endpoint) {
            super(endpoint.tenant(), endpoint.id(), true);
        }

        private void add(First first) {
            if (waiting.isEmpty()) {
                restart(attempts.nanos());
            }
            waiting.add(first);
            attempts.ready(this);
        }

        @Override
        protected Attempts.@Nullable Pending take() {
            for (First next = waiting.poll(); next != null; next = waiting.poll()) {
                if (next.batch().take(next)) {
                    running++;
                    return next;
                }
            }
            return null;
        }

        private void ended(boolean delivered, boolean paused) {
            running--;
            ended++;
            failures = delivered ? 0 : failures + 1;
            if (paused || failures >= FAILURES_MAX) {
                leave();
            } else if (running == 0 && waiting.isEmpty()) {
                lines.remove(endpointId(), this);
            }
        }

        /** Leaves the waiting attempts to the endpoint's lane if they would hold up the intake. */
        private void judge(long now) {
            if (waiting.isEmpty() || now - since < windowNanos) {
                return;
            }
            // an attempt takes longer than the window, or none has ended: the tenant's other endpoints use up its
            // limit, and further
            // batches would wait as well
            boolean slow = ended < running || ended == 0 && attempts.isAtItsLimit(this);
            boolean behind = waiting.size() > WINDOWS_AHEAD_MAX * ended;
            boolean inTheWay = now < severalTenantsUntil && attempts.isAtItsLimit(this);
            restart(now);
            if (slow) {
                waiting.forEach(first -> first.batch().slow.add(endpointId()));
            }
            if (slow || behind || inTheWay) {
                leave();
            }
        }

        /** Begins the window anew. */
        private void restart(long now) {
            since = now;
            ended = 0;
        }

        private void leaveOf(Batch batch) {
            List<First> left =
                    waiting.stream().filter(first -> first.batch == batch).toList();
            waiting.removeIf(first -> first.batch == batch);
            left.forEach(batch::leave);
        }

        private void leave() {
            List<First> left = List.copyOf(waiting);
            waiting.clear();
            lines.remove(endpointId(), this);
            left.forEach(first -> first.batch().leave(first));
        }
    }

    /** A delivery of a batch. Its attempt may outlast the batch, which then is no longer needed in memory. */
    private final class First extends Attempts.Pending {

        private final Line line;
        private final Consumer<Completed> late;
        private @Nullable Batch batch;
        private long startedNanos;

        private First(Dispatch dispatch, Batch batch, Line line, Consumer<Completed> late) {
            super(dispatch, Instant.MAX);
            this.batch = batch;
            this.line = line;
            this.late = late;
        }

        /** Its batch, which is not closed before all its attempts have started. */
        private Batch batch() {
            return Objects.requireNonNull(batch, "the batch is closed");
        }

        @Override
        protected void ended(Completed completed) {
            line.ended(completed.outcome() == AttemptOutcome.DELIVERED, completed.pause() != null);
            Batch open = batch;
            if (open == null) {
                late.accept(completed);
            } else {
                open.ended(this, completed);
            }
        }

        /** The endpoint's lane makes this attempt and the rest of the line; after the batch's end, when the lease ends. */
        @Override
        protected void notStarted(Throwable reason) {
            line.running--;
            line.leave();
            Batch open = batch;
            if (open != null) {
                open.running.remove(this);
                open.notStarted.add(dispatch);
                open.endIfDone();
            }
        }
    }

    /** First attempts that are stored together. */
    private final class Batch {

        private final BooleanSupplier mayStart;
        private final Sinks.One<Result> result = Sinks.one();
        private final Set<Line> ofBatch = new HashSet<>();
        private final Set<First> running = new HashSet<>();
        private final List<Completed> completed = new ArrayList<>();
        private final List<Dispatch> notStarted = new ArrayList<>();
        private final Set<UUID> slow = new HashSet<>();
        private int unstarted;
        private int responses;
        private long begunNanos;
        private long checkAtNanos;
        private boolean closed;
        private volatile boolean canceled;

        private Batch(BooleanSupplier mayStart) {
            this.mayStart = mayStart;
        }

        private void begin(List<Dispatch> dispatches, Consumer<Completed> late) {
            begunNanos = attempts.nanos();
            unstarted = dispatches.size();
            for (Dispatch dispatch : dispatches) {
                WebhookEndpoint endpoint = dispatch.endpoint();
                if (lastTenant != null && !lastTenant.equals(endpoint.tenant())) {
                    severalTenantsUntil = begunNanos + OTHERS_WITHIN.toNanos();
                }
                lastTenant = endpoint.tenant();
                Line line = lines.computeIfAbsent(endpoint.id(), id -> new Line(endpoint));
                ofBatch.add(line);
                line.add(new First(dispatch, this, line, late));
            }
            checkAfter(windowNanos);
        }

        private void checkAfter(long nanos) {
            checkAtNanos = attempts.nanos() + nanos;
            attempts.executeAfter(nanos, this::check);
        }

        /** Whether {@code next} starts; if not, it is left to its lane. */
        private boolean take(First next) {
            if (canceled || !mayStart.getAsBoolean()) {
                leave(next);
                return false;
            }
            unstarted--;
            next.startedNanos = attempts.nanos();
            running.add(next);
            return true;
        }

        private void ended(First first, Completed result) {
            running.remove(first);
            completed.add(kept(result));
            endIfDone();
        }

        private Completed kept(Completed result) {
            if (result.attempt().response() == null) {
                return result;
            }
            return responses++ < DispatcherMemoryBudget.BATCH_RESPONSES_MAX ? result : result.withoutResponse();
        }

        private void leave(First first) {
            unstarted--;
            notStarted.add(first.dispatch);
            endIfDone();
        }

        private void endIfDone() {
            if (unstarted == 0 && running.isEmpty()) {
                close();
            }
        }

        /** Ends the batch if the unstarted attempts must leave it and the running ones have had their time. */
        private void check() {
            if (closed) {
                return;
            }
            long now = attempts.nanos();
            boolean over = now - begunNanos >= longestNanos;
            // this thread was stalled: the ends of attempts may wait behind this check
            boolean late = now - checkAtNanos > windowNanos / CHECKS_PER_WINDOW;
            for (Line line : ofBatch) {
                if (over || canceled || !mayStart.getAsBoolean()) {
                    line.leaveOf(this);
                } else if (late) {
                    line.restart(now);
                } else {
                    line.judge(now);
                }
            }
            boolean young = running.stream().anyMatch(first -> now - first.startedNanos < windowNanos);
            if (unstarted == 0 && (over || !late && !young)) {
                close();
            } else {
                checkAfter(Math.max(1, windowNanos / CHECKS_PER_WINDOW));
            }
        }

        private void close() {
            if (!closed) {
                closed = true;
                List<Dispatch> stillRunning = new ArrayList<>(running.size());
                for (First first : running) {
                    stillRunning.add(first.dispatch);
                    first.batch = null;
                }
                result.tryEmitValue(new Result(completed, stillRunning, notStarted, slow));
            }
        }
    }
}
