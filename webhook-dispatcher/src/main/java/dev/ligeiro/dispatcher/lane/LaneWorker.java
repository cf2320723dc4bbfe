package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.RetrySchedule;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.webhook.Lane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/**
 * The loop of this process over the lanes, from start to stop: it renews the leases of the lanes that it has claimed, applies their stored
 * state and the changes of their endpoints, and claims further due lanes. If it holds as many as it may and others wait, it hands one over.
 * It looks at an interval, and soon after the intake has marked a lane, and keeps trying while MongoDB is unavailable.
 *
 * <p>It stops after the Kafka listener and waits for running attempts; deliveries whose attempt does not end in time are attempted again
 * when the lease of their lane ends.
 */
@Component
class LaneWorker implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LaneWorker.class);

    /** Below the phase of listener containers (Integer.MAX_VALUE - 100): higher phases stop first. */
    private static final int PHASE = Integer.MAX_VALUE - 200;

    private static final double JITTER = 0.2;
    /** The shortest time between two looks, so that marks of many batches share one. */
    private static final Duration SPACING = Duration.ofMillis(50);

    private static final int RENEWALS_PER_LEASE = 3;
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(5);
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
    private volatile boolean running;
    private Disposable loop = () -> {};

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

    @Override
    public void start() {
        running = true;
        loop = Mono.when(deliveries.createIndexes(), lanes.createIndexes())
                .retryWhen(retryForever("indexes_not_created"))
                .thenMany(Mono.defer(this::lookThenPause).repeat(() -> running))
                .retryWhen(retryForever("look_for_lanes_failed"))
                .subscribe();
    }

    /** A lane was marked due by this process: it looks at once. */
    void lookSoon() {
        marked.set(true);
        marks.tryEmitNext(true);
    }

    /** Gives a value, which tells {@link #retryForever} that a failure after it is a new one. */
    private Mono<Boolean> lookThenPause() {
        return look().flatMap(more -> more || !running ? Mono.just(true) : pause().thenReturn(true));
    }

    private Mono<Void> pause() {
        Mono<Boolean> nextMark =
                Mono.defer(() -> marked.get() ? Mono.just(true) : marks.asFlux().next());
        return Mono.delay(SPACING.compareTo(pollInterval) < 0 ? SPACING : pollInterval)
                .then(Mono.firstWithSignal(nextMark, Mono.delay(interval()).thenReturn(true)))
                .doOnNext(any -> marked.set(false))
                .then();
    }

    private Duration interval() {
        return RetrySchedule.jittered(
                pollInterval, JITTER, ThreadLocalRandom.current().nextDouble(-1, 1));
    }

    private static Retry retryForever(String event) {
        return Retry.backoff(Long.MAX_VALUE, BACK_OFF)
                .maxBackoff(BACK_OFF_MAX)
                .transientErrors(true)
                .doBeforeRetry(signal -> LOG.atWarn()
                        .addKeyValue("event.action", event)
                        .addKeyValue("attempt", signal.totalRetriesInARow() + 1)
                        .addKeyValue("cause", String.valueOf(signal.failure()))
                        .log("MongoDB did not answer the lane worker; it tries again"));
    }

    /** Gives whether more lanes may be due than were claimed. */
    private Mono<Boolean> look() {
        return claimed.lanes().flatMap(own -> refresh(own).then(Mono.defer(() -> claim(own.keySet()))));
    }

    private Mono<Void> refresh(Map<UUID, Lane> own) {
        if (own.isEmpty()) {
            return Mono.empty();
        }
        Set<UUID> ids = own.keySet();
        return renew(own)
                .then(Mono.zip(lanes.claimed(claimed.claim(), ids), endpoints.versions(ids)))
                .doOnNext(read -> claimed.refresh(ids, read.getT1(), read.getT2()))
                .then();
    }

    private Mono<Void> renew(Map<UUID, Lane> own) {
        Instant now = clock.instant();
        // also if the clock was set back
        if (Duration.between(renewedAt, now).abs().compareTo(lease.dividedBy(RENEWALS_PER_LEASE)) < 0) {
            return Mono.empty();
        }
        return lanes.renew(claimed.claim(), own.values(), now, now.plus(lease)).doOnSuccess(done -> renewedAt = now);
    }

    /**
     * Claims none of {@code own}: one that another process has taken over may be due again while attempts of its work here still run. That
     * work would end, and with it the claim.
     */
    private Mono<Boolean> claim(Set<UUID> own) {
        int max = claimedMax - own.size();
        Instant now = clock.instant();
        if (max <= 0) {
            return lanes.anyToClaim(own, now)
                    .filter(waiting -> waiting)
                    .doOnNext(waiting -> claimed.handOverOne())
                    .thenReturn(false);
        }
        return lanes.claim(claimed.claim(), own, now, now.plus(lease), max)
                .doOnNext(claimed::add)
                .map(found -> found.size() == max);
    }

    /** Waits until no attempt is running, nothing is unwritten and all lanes are given back. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        Flux.interval(STOP_CHECK_INTERVAL)
                // each time, because the release of a lane may have failed
                .doOnNext(tick -> claimed.stop())
                .takeUntil(tick -> inFlight.total() == 0 && results.idle() && claimed.count() == 0)
                .doFinally(signal -> {
                    loop.dispose();
                    callback.run();
                })
                .subscribe();
    }

    @Override
    public void stop() {
        running = false;
        loop.dispose();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
