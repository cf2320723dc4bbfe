package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Decides which attempt starts next: of the first attempts of all batches ({@link #run}) and of the retries of all lanes (each a
 * {@link Source}). One thread makes all decisions, so they need no locks; requests and reads of MongoDB do not block it.
 *
 * <p>The tenant with the fewest running attempts starts the next one, among equal ones the one that has waited longest; the endpoints of a
 * tenant take turns, and so do first attempts and retries of an endpoint. The running attempts are limited in total, per tenant and per
 * endpoint, so that neither a slow endpoint nor a tenant with many of them can use up the limit of all. First attempts may use seven
 * eighths of the total, retries three quarters.
 *
 * <p>A batch ends when all its attempts have ended. After the window of 250 ms it leaves behind the attempts that have been running for longer.
 * Unstarted ones stay in the batch for up to eight windows while their endpoint is quick: a backlog then makes the consumer wait
 * instead of being stored twice. They are left to the endpoint's lane if the endpoint is too slow for them, or if they wait for a limit of
 * their own endpoint or tenant while other tenants have events too, which must not wait for this one.
 */
@Component
public class Attempts implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    /** After so many failures in a row the rest of a line is left to the endpoint's lane, which has a circuit breaker. */
    private static final int FAILURES_MAX = 10;
    /** With fewer ended attempts for each running one in a window of 250 ms, an attempt takes more than 80 ms. */
    private static final int ENDED_PER_RUNNING_MIN = 3;
    /** The attempts that wait for a quick endpoint must be over after so many windows at its present rate. */
    private static final int WINDOWS_AHEAD_MAX = 4;

    private static final int WINDOWS_MAX = 8;
    private static final int CHECKS_PER_WINDOW = 5;
    /** A tenant that had an event within this time must not wait for another one's limits. */
    private static final Duration OTHERS_WITHIN = Duration.ofMinutes(10);

    private final Function<Pending, Mono<Completed>> attempt;
    private final Scheduler thread;
    private final int max;
    private final int firstMax;
    private final int retriesMax;
    private final int perTenantMax;
    private final int perEndpointMax;
    private final long windowNanos;
    private final long longestNanos;

    private final AtomicInteger running = new AtomicInteger();
    private int firstRunning;
    private int retriesRunning;
    private long turns;
    private final Map<Tenant, Share> shares = new HashMap<>();
    private final TreeSet<Share> waiting = new TreeSet<>(
            Comparator.<Share>comparingInt(share -> share.running).thenComparingLong(share -> share.turn));
    private final Map<UUID, Target> targets = new HashMap<>();
    private final Map<UUID, Line> lines = new HashMap<>();
    private @Nullable Tenant lastTenant;
    private long severalTenantsUntil = Long.MIN_VALUE;

    @Autowired
    Attempts(AttemptDelivery attempts, WebhookProperties properties, MeterRegistry metrics) {
        this(
                next -> attempts.attempt(next.dispatch, next.startBefore),
                properties,
                Schedulers.newSingle("webhook-attempts", true));
        Gauge.builder("ligeiro.webhook.attempts.in_flight", running, AtomicInteger::get)
                .description("Attempts under way")
                .register(metrics);
        if (max < properties.inFlightMax()) {
            LOG.atInfo()
                    .addKeyValue("event.action", "attempts_limited")
                    .addKeyValue("in_flight_max", max)
                    .addKeyValue("in_flight_per_tenant_max", perTenantMax)
                    .log("The heap allows fewer attempts at once than the settings");
        }
    }

    /** @param attempt makes one attempt; gives its result, or an error if no request was sent */
    Attempts(Function<Pending, Mono<Completed>> attempt, WebhookProperties properties, Scheduler thread) {
        this.attempt = attempt;
        this.thread = thread;
        this.max = properties.attemptsMax();
        this.firstMax = max - max / 8;
        this.retriesMax = Math.max(1, max - max / 4);
        this.perTenantMax = properties.attemptsPerTenantMax();
        this.perEndpointMax = properties.inFlightPerEndpointMax();
        this.windowNanos = properties.batchWindow().toNanos();
        // an attempt that starts at the end still ends before the lease, see WebhookProperties
        Duration leaseHalf = properties.lease().dividedBy(2);
        this.longestNanos = Math.min(WINDOWS_MAX * windowNanos, leaseHalf.toNanos());
    }

    /** An attempt that may start now, and what follows it. The methods run on the thread of the attempts. */
    public abstract static class Pending {

        final Dispatch dispatch;
        final Instant startBefore;

        /** @param startBefore the attempt gives an error instead of starting later */
        protected Pending(Dispatch dispatch, Instant startBefore) {
            this.dispatch = dispatch;
            this.startBefore = startBefore;
        }

        protected abstract void ended(Completed completed);

        /** No request was sent. */
        protected abstract void notStarted(Throwable reason);
    }

    /** The deliveries to one endpoint that wait for their attempts. */
    public abstract static class Source {

        private final Tenant tenant;
        private final UUID endpointId;
        private boolean queued;

        protected Source(Tenant tenant, UUID endpointId) {
            this.tenant = tenant;
            this.endpointId = endpointId;
        }

        /** Takes the next delivery; null if none may start now. Called on the thread of the attempts, like all methods. */
        protected abstract @Nullable Pending take();

        final UUID endpointId() {
            return endpointId;
        }

        final Tenant tenant() {
            return tenant;
        }
    }

    /** The sources of one tenant that may have an attempt to start. */
    private static final class Share {

        private final Tenant tenant;
        private final Deque<Source> sources = new ArrayDeque<>();
        private int running;
        private long turn;

        private Share(Tenant tenant) {
            this.tenant = tenant;
        }
    }

    /** An endpoint with running attempts, and its sources that wait for one of them to end. */
    private static final class Target {

        private final List<Source> blocked = new ArrayList<>();
        private int running;
    }

    /** The number of running attempts. */
    public int running() {
        return running.get();
    }

    /**
     * Runs {@code task} on the thread of the attempts, then starts the attempts that it has made possible. After {@link #destroy} it does
     * nothing: an attempt has outlasted the stop, and its delivery is due again when its lease has ended.
     */
    public void execute(Runnable task) {
        try {
            thread.schedule(() -> runAndStart(task));
        } catch (RejectedExecutionException destroyed) {
            // nothing is left to do
        }
    }

    private void runAndStart(Runnable task) {
        task.run();
        while (running.get() < max && startOne()) {
            // each start may make another tenant the next one
        }
    }

    /** {@code source} may have an attempt to start. */
    public void ready(Source source) {
        if (!source.queued) {
            source.queued = true;
            Share share = takeOut(source.tenant);
            share.sources.add(source);
            putBack(share);
        }
    }

    /** The share may be changed until it is put back. */
    private Share takeOut(Tenant tenant) {
        Share share = shares.computeIfAbsent(tenant, Share::new);
        waiting.remove(share);
        return share;
    }

    private void putBack(Share share) {
        if (share.sources.isEmpty()) {
            share.turn = 0;
            if (share.running == 0) {
                shares.remove(share.tenant);
            }
        } else {
            share.turn = share.turn == 0 ? ++turns : share.turn;
            waiting.add(share);
        }
    }

    /** Lets one source start an attempt or leave the queue; false if none may start one. */
    private boolean startOne() {
        for (Share share : waiting) {
            if (share.running >= perTenantMax) {
                // all that follow have as many
                return false;
            }
            for (Source source : share.sources) {
                if (source instanceof Line ? firstRunning < firstMax : retriesRunning < retriesMax) {
                    start(source);
                    return true;
                }
            }
        }
        return false;
    }

    private void start(Source source) {
        Share share = takeOut(source.tenant);
        share.sources.remove(source);
        Target target = targets.get(source.endpointId);
        if (target != null && target.running >= perEndpointMax) {
            target.blocked.add(source);
            putBack(share);
            return;
        }
        putBack(share);
        source.queued = false;
        Pending next = source.take();
        if (next == null) {
            return;
        }
        running.incrementAndGet();
        count(source, 1);
        ready(source);
        attempt.apply(next)
                .doOnTerminate(running::decrementAndGet)
                .subscribe(
                        completed -> execute(() -> {
                            count(source, -1);
                            next.ended(completed);
                        }),
                        reason -> execute(() -> {
                            count(source, -1);
                            next.notStarted(reason);
                        }));
    }

    private void count(Source source, int change) {
        if (source instanceof Line) {
            firstRunning += change;
        } else {
            retriesRunning += change;
        }
        Share share = takeOut(source.tenant);
        share.running += change;
        share.turn = change > 0 ? 0 : share.turn;
        putBack(share);
        Target target = targets.computeIfAbsent(source.endpointId, first -> new Target());
        target.running += change;
        if (change < 0) {
            target.blocked.forEach(blocked -> {
                blocked.queued = false;
                ready(blocked);
            });
            target.blocked.clear();
        }
        if (target.running == 0) {
            targets.remove(source.endpointId);
        }
    }

    // first attempts

    /**
     * What has become of the first attempts of a batch.
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
            execute(() -> batch.begin(dispatches, late));
            return batch.result.asMono().doOnCancel(() -> batch.canceled = true);
        });
    }

    private long now() {
        return thread.now(TimeUnit.NANOSECONDS);
    }

    /** The first attempts to one endpoint that wait, those of earlier batches first. */
    private final class Line extends Source {

        private final Deque<First> waiting = new ArrayDeque<>();
        private int running;
        private int failures;
        /** The attempts that have ended since {@link #since}, the start of a window in which some have waited all the time. */
        private int ended;

        private long since;

        private Line(WebhookEndpoint endpoint) {
            super(endpoint.tenant(), endpoint.id());
        }

        private void add(First first) {
            if (waiting.isEmpty()) {
                restart(now());
            }
            waiting.add(first);
            ready(this);
        }

        @Override
        protected @Nullable Pending take() {
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
            // none has ended: the tenant's other endpoints use up its limit, and further batches would wait as well
            boolean slow = ended < ENDED_PER_RUNNING_MIN * running || ended == 0 && isAtItsLimit();
            boolean behind = waiting.size() > WINDOWS_AHEAD_MAX * ended;
            boolean inTheWay = now < severalTenantsUntil && isAtItsLimit();
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

        /** Whether its attempts wait for others of the same endpoint or tenant, not for the limit of all. */
        private boolean isAtItsLimit() {
            Target target = targets.get(endpointId());
            Share share = shares.get(tenant());
            return target != null && target.running >= perEndpointMax || share != null && share.running >= perTenantMax;
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
    private final class First extends Pending {

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
            begunNanos = now();
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
            checkAtNanos = now() + nanos;
            thread.schedule(() -> runAndStart(this::check), nanos, TimeUnit.NANOSECONDS);
        }

        /** Whether {@code next} starts; if not, it is left to its lane. */
        private boolean take(First next) {
            if (canceled || !mayStart.getAsBoolean()) {
                leave(next);
                return false;
            }
            unstarted--;
            next.startedNanos = now();
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
            long now = now();
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

    @Override
    public void destroy() {
        thread.dispose();
    }
}
