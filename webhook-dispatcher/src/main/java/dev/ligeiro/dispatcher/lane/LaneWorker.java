package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.RetrySchedule;
import java.time.Duration;
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
 * Looks for due lanes from start to stop, at an interval and whenever the intake has marked one. It keeps trying while MongoDB is
 * unavailable. It stops after the Kafka listener and waits for running attempts; deliveries whose attempt does not end in time are
 * attempted again when the lease of their lane ends.
 */
@Component
class LaneWorker implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LaneWorker.class);

    /** Below the phase of listener containers (Integer.MAX_VALUE - 100): higher phases stop first. */
    private static final int PHASE = Integer.MAX_VALUE - 200;

    private static final double JITTER = 0.2;
    /** The shortest time between two looks, so that marks of many batches share one. */
    private static final Duration SPACING = Duration.ofMillis(50);

    private static final Duration BACK_OFF = Duration.ofMillis(500);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(5);
    private static final Duration STOP_CHECK_INTERVAL = Duration.ofMillis(20);

    private final LookForLanes look;
    private final LaneIndexes indexes;
    private final UnfinishedWork work;
    private final Duration pollInterval;

    private final AtomicBoolean marked = new AtomicBoolean();
    private final Sinks.Many<Boolean> marks = Sinks.many().multicast().directBestEffort();
    private volatile boolean running;
    private Disposable loop = () -> {};

    LaneWorker(LookForLanes look, LaneIndexes indexes, UnfinishedWork work, LaneProperties properties) {
        this.look = look;
        this.indexes = indexes;
        this.work = work;
        this.pollInterval = properties.pollInterval();
    }

    @Override
    public void start() {
        running = true;
        loop = indexes.create()
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
        return look.look().flatMap(more -> more || !running ? Mono.just(true) : pause().thenReturn(true));
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

    /** Waits until no attempt is running, nothing is unwritten and all lanes are given back. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        Flux.interval(STOP_CHECK_INTERVAL)
                // each time, because the release of a lane may have failed
                .doOnNext(tick -> work.finish())
                .takeUntil(tick -> work.isFinished())
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
