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
 * Retries due deliveries in a loop, from start to stop. It keeps trying while MongoDB is unavailable. It stops after the Kafka
 * listener and waits for running attempts; deliveries whose attempt does not end in time are due again when their lease ends.
 */
@Component
class RetryWorker implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RetryWorker.class);

    /** Below the phase of listener containers (Integer.MAX_VALUE - 100): higher phases stop first. */
    private static final int PHASE = Integer.MAX_VALUE - 200;

    private static final double JITTER = 0.2;
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(5);
    private static final Duration STOP_CHECK_INTERVAL = Duration.ofMillis(20);

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
                .retryWhen(retryForever("indexes_not_created"))
                .thenMany(Mono.defer(this::runRoundThenPause).repeat(() -> running))
                .retryWhen(retryForever("retry_round_failed"))
                .subscribe();
    }

    private Mono<Void> runRoundThenPause() {
        return retryDue.runRound()
                .flatMap(more ->
                        more && running ? Mono.empty() : Mono.delay(interval()).then());
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
                        .log("MongoDB did not answer the retry worker; it tries again"));
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        Flux.interval(STOP_CHECK_INTERVAL)
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
