package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.webhook.Lane;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The loop of this process over the lanes, from start to stop: it renews the leases of the lanes that it has claimed, applies their stored
 * state and the changes of their endpoints, and claims further due lanes. If it holds the maximum and another lane is due, it hands one over.
 * It checks at an interval, and soon after the intake has marked a lane, and keeps trying while MongoDB is unavailable.
 *
 * <p>It stops after the Kafka listener and waits for running attempts; deliveries whose attempt does not end in time are attempted again
 * when the lease of their lane ends.
 */
@Component
public class LaneWorker extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(LaneWorker.class);

    /** Below the phase of listener containers (Integer.MAX_VALUE - 100): higher phases stop first. */
    private static final int PHASE = Integer.MAX_VALUE - 200;

    private static final double JITTER = 0.2;
    /** The shortest time between two checks, so that marks of many batches share one. */
    private static final Duration SPACING = Duration.ofMillis(50);

    private static final int RENEWALS_PER_LEASE = 3;
    /** A lane that is handed over waits for its running attempts, up to 15 s: this share of the lanes may do so at a time. */
    private static final int HANDING_OVER_SHARE = 16;

    private static final Duration STOP_CHECK_INTERVAL = Duration.ofMillis(20);

    private final LaneStore lanes;
    private final LaneRun.Shared shared;
    private final Clock clock;
    private final Duration lease;
    private final Duration pollInterval;
    private final int claimedMax;

    private final AtomicBoolean marked = new AtomicBoolean();
    private final Sinks.Many<Boolean> marks = Sinks.many().multicast().directBestEffort();
    private volatile Instant renewedAt = Instant.EPOCH;
    private volatile boolean hasIndexes;
    private volatile boolean stopping;
    /** By endpoint; only the thread of the attempts reads and changes it. */
    private final Map<UUID, LaneRun> runs = new HashMap<>();
    /** The number of claimed lanes. */
    private volatile int claimed;

    LaneWorker(LaneRun.Shared shared, MeterRegistry metrics) {
        this.shared = shared;
        this.lanes = shared.lanes();
        this.clock = shared.clock();
        this.lease = shared.webhook().lease();
        this.pollInterval = shared.properties().pollInterval();
        this.claimedMax = shared.properties().claimedMax();
        Gauge.builder("ligeiro.webhook.lanes.claimed", this, worker -> worker.claimed)
                .description("Lanes that this process works on")
                .register(metrics);
    }

    /** Stores marks, one per endpoint, and checks soon if a lane is due. Call it after the deliveries are stored. */
    public Mono<Void> mark(Collection<LaneMark> changes) {
        Instant now = clock.instant();
        return lanes.mark(changes, now).doOnSuccess(done -> {
            if (changes.stream().anyMatch(mark -> !mark.dueAt().isAfter(now))) {
                checkSoon();
            }
        });
    }

    private void checkSoon() {
        marked.set(true);
        marks.tryEmitNext(true);
    }

    /** The shortest one; {@link #run} waits for a mark after it. */
    @Override
    protected Duration pause() {
        return SPACING.compareTo(pollInterval) < 0 ? SPACING : pollInterval;
    }

    @Override
    protected Mono<Void> run() {
        Mono<Boolean> nextMark =
                Mono.defer(() -> marked.get() ? Mono.just(true) : marks.asFlux().next());
        return Mono.firstWithSignal(
                        nextMark, Mono.delay(jittered(pollInterval, JITTER)).thenReturn(true))
                .doOnNext(any -> marked.set(false))
                .then(Mono.defer(this::check));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "look_for_lanes_failed")
                .addKeyValue("cause", String.valueOf(failure))
                .log("MongoDB did not answer the lane worker; it tries again");
    }

    private Mono<Void> check() {
        if (stopping) {
            return Mono.never();
        }
        return createIndexes().then(own()).flatMap(own -> refresh(own).then(Mono.defer(() -> claim(own.keySet()))));
    }

    private Mono<Void> createIndexes() {
        return hasIndexes
                ? Mono.empty()
                : Mono.when(shared.deliveries().createIndexes(), lanes.createIndexes())
                        .doOnSuccess(done -> hasIndexes = true);
    }

    /** The claimed lanes by endpoint, as this process knows them. */
    private Mono<Map<UUID, Lane>> own() {
        return Mono.create(sink -> execute(() -> sink.success(
                runs.values().stream().map(LaneRun::lane).collect(Collectors.toMap(Lane::endpointId, lane -> lane)))));
    }

    /** Applies the stored state of the lanes, and the versions of their endpoints. */
    private Mono<Void> refresh(Map<UUID, Lane> own) {
        if (own.isEmpty()) {
            return Mono.empty();
        }
        Set<UUID> ids = own.keySet();
        return renew(own)
                .then(Mono.zip(
                        lanes.claimed(ids, clock.instant()), shared.endpoints().versions(ids)))
                .doOnNext(read -> execute(() -> ids.forEach(id -> {
                    LaneRun run = runs.get(id);
                    if (run != null) {
                        run.refresh(read.getT1().get(id), read.getT2().get(id));
                    }
                })))
                .then();
    }

    private Mono<Void> renew(Map<UUID, Lane> own) {
        Instant now = clock.instant();
        // also if the clock was set back
        if (Duration.between(renewedAt, now).abs().compareTo(lease.dividedBy(RENEWALS_PER_LEASE)) < 0) {
            return Mono.empty();
        }
        return lanes.renew(own.values(), now, now.plus(lease)).doOnSuccess(done -> renewedAt = now);
    }

    /**
     * Claims none of {@code own}. Among them may be a lane that another process has taken over and that is due again, while attempts of this
     * process still run: their {@link LaneRun} would end without giving the new claim back.
     */
    private Mono<Void> claim(Set<UUID> own) {
        int max = claimedMax - own.size();
        Instant now = clock.instant();
        if (max <= 0) {
            return lanes.anyToClaim(own, now)
                    .filter(waiting -> waiting)
                    .doOnNext(waiting -> execute(this::handOverOne))
                    .then();
        }
        return lanes.claim(own, now, now.plus(lease), max)
                .doOnNext(found -> execute(() -> found.forEach(this::begin)))
                .filter(found -> found.size() == max)
                .doOnNext(full -> checkSoon())
                .then();
    }

    private void execute(Runnable task) {
        shared.attempts().execute(task);
    }

    private void begin(Lane lane) {
        LaneRun run = new LaneRun(lane, shared, this::payloadsMax, this::ended);
        runs.put(lane.endpointId(), run);
        claimed = runs.size();
        if (stopping) {
            run.stop();
        } else {
            run.step();
        }
    }

    private int payloadsMax() {
        return DispatcherMemoryBudget.LANE_PAYLOADS_MAX / Math.max(1, claimed);
    }

    private void ended(LaneRun run) {
        runs.remove(run.lane().endpointId(), run);
        claimed = runs.size();
    }

    /**
     * Gives back the lane that is held longest, because others wait and this process holds as many as it may: lanes whose endpoints respond
     * slowly may never drain. Does nothing if all are held for less than half a lease, or if enough lanes are being given back.
     */
    private void handOverOne() {
        Instant heldSince = clock.instant().minus(lease.dividedBy(2));
        if (runs.values().stream().filter(LaneRun::isEnding).count() < Math.max(1, claimedMax / HANDING_OVER_SHARE)) {
            runs.values().stream()
                    .filter(run -> !run.isEnding() && run.begunAt().isBefore(heldSince))
                    .min(Comparator.comparing(LaneRun::begunAt))
                    .ifPresent(LaneRun::stop);
        }
    }

    /** Waits until no attempt is running, nothing is unwritten and all lanes are given back. */
    @Override
    public void stop(Runnable callback) {
        stopping = true;
        Flux.interval(STOP_CHECK_INTERVAL)
                // each time, because the release of a lane may have failed
                .doOnNext(tick -> execute(() -> List.copyOf(runs.values()).forEach(LaneRun::stop)))
                .takeUntil(tick ->
                        shared.attempts().running() == 0 && shared.results().idle() && claimed == 0)
                .doFinally(signal -> {
                    stop();
                    callback.run();
                })
                .subscribe();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
