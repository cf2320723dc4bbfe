package dev.ligeiro.gateway.publish.republish;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Runs one pass of {@link RepublishUnaccepted} after the other while this gateway holds the lease. The interval has jitter, so that gateways
 * do not request the lease at the same time.
 */
@Component
class Sweeper implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final double JITTER = 0.2;
    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);

    private final RepublishUnaccepted republish;
    private final SweeperLeaseStore lease;
    private final Duration term;
    private final Clock clock;
    private final RepeatedWork passes;

    Sweeper(RepublishUnaccepted republish, SweeperLeaseStore lease, RepublishProperties properties, Clock clock) {
        this.republish = republish;
        this.lease = lease;
        this.term = properties.lease();
        this.clock = clock;
        this.passes =
                new RepeatedWork(() -> RepeatedWork.jittered(properties.every(), JITTER), this::pass, Sweeper::report);
    }

    @Override
    public void start() {
        passes.start();
    }

    private Mono<Void> pass() {
        return lease.take(clock.instant(), term)
                .doOnError(unavailable -> republish.standBy())
                .flatMap(taken -> taken ? republish.pass() : Mono.fromRunnable(republish::standBy));
    }

    private static void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "republish_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("Unaccepted transactions were not published again; the next pass does it");
    }

    /** Releases the lease if MongoDB answers within 1 s; otherwise the lease expires. */
    @Override
    public void stop(Runnable stopped) {
        passes.stop();
        lease.release()
                .timeout(RELEASE_MAX)
                .onErrorComplete()
                .doFinally(signal -> stopped.run())
                .subscribe();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return passes.isRunning();
    }
}
