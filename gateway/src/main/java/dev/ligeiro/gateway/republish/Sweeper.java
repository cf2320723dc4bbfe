package dev.ligeiro.gateway.republish;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
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

    private final RepublishUnaccepted republish;
    private final Duration every;
    private final Counter republished;
    private volatile Disposable passes = () -> {};
    private volatile boolean running;

    Sweeper(RepublishUnaccepted republish, RepublishProperties properties, MeterRegistry registry) {
        this.republish = republish;
        this.every = properties.every();
        this.republished = Counter.builder("ligeiro.gateway.commands.republished")
                .description("Commands published again because no processor had accepted the transaction")
                .baseUnit("commands")
                .register(registry);
    }

    @Override
    public void start() {
        running = true;
        passes = Mono.defer(() -> Mono.delay(jittered()))
                .then(Mono.defer(republish::pass))
                .doOnNext(this::report)
                .onErrorResume(failure -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "republish_failed")
                            .addKeyValue("cause", failure.getClass().getSimpleName())
                            .log("Unaccepted transactions were not published again; the next pass does it");
                    return Mono.empty();
                })
                .repeat()
                .subscribe();
    }

    private void report(int count) {
        if (count > 0) {
            republished.increment(count);
            LOG.atInfo()
                    .addKeyValue("event.action", "republished")
                    .addKeyValue("commands", count)
                    .log("Unaccepted transactions were published again");
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
        republish
                .release()
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
