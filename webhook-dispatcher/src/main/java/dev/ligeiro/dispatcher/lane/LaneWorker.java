package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.webhook.Lane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private static final Duration STOP_CHECK_INTERVAL = Duration.ofMillis(20);

    private final LaneStore lanes;
    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final ClaimedLanes claimed;
    private final CompleteAttempts results;
    private final InFlight inFlight;
    private final Clock clock;
    private final Duration lease;
    private final Duration pollInterval;
    private final int claimedMax;

    private final AtomicBoolean marked = new AtomicBoolean();
    private final Sinks.Many<Boolean> marks = Sinks.many().multicast().directBestEffort();
    private volatile Instant renewedAt = Instant.EPOCH;
    private volatile boolean hasIndexes;
    private volatile boolean stopping;

    LaneWorker(
            LaneStore lanes,
            EndpointStore endpoints,
            DeliveryStore deliveries,
            ClaimedLanes claimed,
            CompleteAttempts results,
            InFlight inFlight,
            Clock clock,
            LaneProperties properties,
            WebhookProperties webhook) {
        this.lanes = lanes;
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.claimed = claimed;
        this.results = results;
        this.inFlight = inFlight;
        this.clock = clock;
        this.lease = webhook.lease();
        this.pollInterval = properties.pollInterval();
        this.claimedMax = properties.claimedMax();
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
        return createIndexes().then(claimed.lanes()).flatMap(own -> refresh(own)
                .then(Mono.defer(() -> claim(own.keySet()))));
    }

    private Mono<Void> createIndexes() {
        return hasIndexes
                ? Mono.empty()
                : Mono.when(deliveries.createIndexes(), lanes.createIndexes()).doOnSuccess(done -> hasIndexes = true);
    }

    private Mono<Void> refresh(Map<UUID, Lane> own) {
        if (own.isEmpty()) {
            return Mono.empty();
        }
        Set<UUID> ids = own.keySet();
        return renew(own)
                .then(Mono.zip(lanes.claimed(ids), endpoints.versions(ids)))
                .doOnNext(read -> claimed.refresh(ids, read.getT1(), read.getT2()))
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
                    .doOnNext(waiting -> claimed.handOverOne())
                    .then();
        }
        return lanes.claim(own, now, now.plus(lease), max)
                .doOnNext(claimed::add)
                .filter(found -> found.size() == max)
                .doOnNext(full -> checkSoon())
                .then();
    }

    /** Waits until no attempt is running, nothing is unwritten and all lanes are given back. */
    @Override
    public void stop(Runnable callback) {
        stopping = true;
        Flux.interval(STOP_CHECK_INTERVAL)
                // each time, because the release of a lane may have failed
                .doOnNext(tick -> claimed.stop())
                .takeUntil(tick -> inFlight.total() == 0 && results.idle() && claimed.count() == 0)
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
