package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Attempt;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Decides which attempt starts next: of the first attempts of all batches ({@link FirstAttempts}) and of the retries of all lanes. Each
 * endpoint has a {@link Source} of either kind. One thread makes all decisions, so they need no locks; requests and reads of MongoDB do not
 * block it.
 *
 * <p>The tenant with the fewest running attempts starts the next one, among equal ones the one that has waited longest; the endpoints of a
 * tenant take turns, and so do first attempts and retries of an endpoint. The running attempts are limited in total, per tenant and per
 * endpoint, so that neither a slow endpoint nor a tenant with many of them can use up the limit of all. First attempts may use seven
 * eighths of the total, retries three quarters. The limit of an endpoint follows its answers ({@link EndpointWindow}); the limits of all have
 * grown by half of the total at most, so that endpoints which hang suddenly leave room for others.
 */
@Component
public class Attempts implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    private final Function<Pending, Mono<Completed>> attempt;
    private final Scheduler thread;
    private final int max;
    private final int firstMax;
    private final int retriesMax;
    private final int perTenantMax;
    private final EndpointWindow.Limits windowLimits;
    private final Function<UUID, Target> newTarget;
    private final int grownMax;

    private final AtomicInteger running = new AtomicInteger();
    private int firstRunning;
    private int retriesRunning;
    private int grown;
    private long turns;
    private final Map<Tenant, Share> shares = new HashMap<>();
    private final TreeSet<Share> waiting = new TreeSet<>(
            Comparator.<Share>comparingInt(share -> share.running).thenComparingLong(share -> share.turn));
    private final Map<UUID, Target> targets = new HashMap<>();

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
        this.windowLimits = EndpointWindow.Limits.of(properties);
        this.newTarget = endpointId -> new Target(windowLimits);
        this.grownMax = max / 2;
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
        private final boolean first;
        private boolean queued;

        /** Of retries. */
        protected Source(Tenant tenant, UUID endpointId) {
            this(tenant, endpointId, false);
        }

        /** @param first whether its attempts are first ones */
        Source(Tenant tenant, UUID endpointId, boolean first) {
            this.tenant = tenant;
            this.endpointId = endpointId;
            this.first = first;
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

        private final EndpointWindow window;
        private final List<Source> blocked = new ArrayList<>();
        private int running;

        private Target(EndpointWindow.Limits limits) {
            this.window = new EndpointWindow(limits);
        }

        private boolean isFull() {
            return running >= window.size();
        }
    }

    /** The number of running attempts. */
    public int running() {
        return running.get();
    }

    /** How many attempts to the endpoint may run at once. Called on the thread of the attempts. */
    public int window(UUID endpointId) {
        Target target = targets.get(endpointId);
        return target == null ? windowLimits.min() : target.window.size();
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

    /** The same, later. */
    void executeAfter(long nanos, Runnable task) {
        thread.schedule(() -> runAndStart(task), nanos, TimeUnit.NANOSECONDS);
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
                if (source.first ? firstRunning < firstMax : retriesRunning < retriesMax) {
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
        if (target != null && target.isFull()) {
            target.window.wasFull();
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
                            learn(source, completed.attempt());
                            count(source, -1);
                            next.ended(completed);
                        }),
                        reason -> execute(() -> {
                            count(source, -1);
                            next.notStarted(reason);
                        }));
    }

    private void learn(Source source, Attempt ended) {
        EndpointWindow window = Objects.requireNonNull(targets.get(source.endpointId)).window;
        grown -= window.grown();
        window.ended(ended.outcome(), ended.duration(), grown + window.grown() < grownMax);
        grown += window.grown();
    }

    private void count(Source source, int change) {
        if (source.first) {
            firstRunning += change;
        } else {
            retriesRunning += change;
        }
        Share share = takeOut(source.tenant);
        share.running += change;
        share.turn = change > 0 ? 0 : share.turn;
        putBack(share);
        Target target = targets.computeIfAbsent(source.endpointId, newTarget);
        target.running += change;
        if (change < 0) {
            target.blocked.forEach(blocked -> {
                blocked.queued = false;
                ready(blocked);
            });
            target.blocked.clear();
        }
        if (target.running == 0) {
            grown -= target.window.grown();
            targets.remove(source.endpointId);
        }
    }

    long nanos() {
        return thread.now(TimeUnit.NANOSECONDS);
    }

    /** Whether the attempts of {@code source} wait for others of the same endpoint or tenant, not for the limit of all. */
    boolean isAtItsLimit(Source source) {
        Target target = targets.get(source.endpointId);
        Share share = shares.get(source.tenant);
        return target != null && target.isFull() || share != null && share.running >= perTenantMax;
    }

    @Override
    public void destroy() {
        thread.dispose();
    }
}
