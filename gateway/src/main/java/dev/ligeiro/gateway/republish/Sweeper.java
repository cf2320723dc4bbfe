package dev.ligeiro.gateway.republish;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Runs one pass after the other. The interval has jitter, so that gateways do not request the lease at the same time. */
@Component
class Sweeper implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final double JITTER = 0.2;
    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);

    private final LeasedPass pass;
    private final Duration every;
    private volatile Disposable passes = () -> {};
    private volatile boolean failing;
    private volatile boolean running;

    Sweeper(LeasedPass pass, RepublishProperties properties) {
        this.pass = pass;
        this.every = properties.every();
    }

    @Override
    public void start() {
        running = true;
        passes = Mono.defer(() -> Mono.delay(jittered()))
                .then(Mono.defer(pass::run))
                .doOnSuccess(done -> failing = false)
                .onErrorResume(failure -> {
                    report(failure);
                    return Mono.empty();
                })
                .repeat()
                .subscribe();
    }

    /** Logs one line for an outage, not one for each pass. */
    private void report(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue("event.action", "republish_failed")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("Unaccepted transactions were not published again; the next pass does it");
        }
    }

    private Duration jittered() {
        double factor = 1 - JITTER + 2 * JITTER * ThreadLocalRandom.current().nextDouble();
        return Duration.ofMillis((long) (every.toMillis() * factor));
    }

    /** Releases the lease if MongoDB answers within 1 s; otherwise the lease expires. */
    @Override
    public void stop(Runnable stopped) {
        running = false;
        passes.dispose();
        pass.release()
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
        return running;
    }
}
