package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Looks for what is due, again and again, from start to stop; MongoDB may come later or go meanwhile. It stops after the intake:
 * then attempts that are under way are waited for, and what does not end in time is left to its lease.
 */
@Component
class RetryWorker implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RetryWorker.class);

    /** Below the listener containers' (Integer.MAX_VALUE - 100), since stopping goes downwards. */
    private static final int PHASE = Integer.MAX_VALUE - 200;

    private static final double SPREAD = 0.2;
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(5);
    private static final Duration SETTLE_INTERVAL = Duration.ofMillis(20);

    private final RetryDue retryDue;
    private final DeliveryStore deliveries;
    private final CompletionWriter writer;
    private final InFlight inFlight;
    private final Duration pollInterval;
    private volatile boolean running;
    private Disposable loop = () -> {};

    RetryWorker(
            RetryDue retryDue,
            DeliveryStore deliveries,
            CompletionWriter writer,
            InFlight inFlight,
            RetryProperties properties) {
        this.retryDue = retryDue;
        this.deliveries = deliveries;
        this.writer = writer;
        this.inFlight = inFlight;
        this.pollInterval = properties.pollInterval();
    }

    @Override
    public void start() {
        running = true;
        loop = deliveries
                .createIndexes()
                .retryWhen(untilItWorks("indexes_not_created"))
                .thenMany(Mono.defer(this::lookAndRest).repeat(() -> running))
                .retryWhen(untilItWorks("look_failed"))
                .subscribe();
    }

    private Mono<Void> lookAndRest() {
        return retryDue.look()
                .flatMap(more ->
                        more && running ? Mono.empty() : Mono.delay(interval()).then());
    }

    private Duration interval() {
        return RetrySchedule.jittered(
                pollInterval, SPREAD, ThreadLocalRandom.current().nextDouble(-1, 1));
    }

    private static Retry untilItWorks(String event) {
        return Retry.backoff(Long.MAX_VALUE, BACK_OFF)
                .maxBackoff(BACK_OFF_MAX)
                .transientErrors(true)
                .doBeforeRetry(signal -> LOG.warn(
                        "event={} retry={} cause={}",
                        event,
                        signal.totalRetriesInARow() + 1,
                        String.valueOf(signal.failure())));
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        Flux.interval(SETTLE_INTERVAL)
                .takeUntil(tick -> inFlight.total() == 0 && writer.idle())
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
