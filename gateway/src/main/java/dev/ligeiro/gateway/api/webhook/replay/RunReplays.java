package dev.ligeiro.gateway.api.webhook.replay;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Runs replays, one step after the other, each of the replay that has waited longest: a long one does not delay the others. A step
 * whose gateway has died is repeated by another one when its lease ends.
 */
@Component
class RunReplays implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RunReplays.class);
    /** Longer than a step takes with a slow MongoDB: each of its five operations has a limit of 2.5 s. */
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** Between two looks for a replay when there was none, ±50 %. A look costs MongoDB about 0.2 ms. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final ReplayStore store;
    private final ReplayStep step;
    private final Clock clock;
    private volatile Disposable steps = () -> {};
    private volatile boolean failing;
    private volatile boolean running;

    RunReplays(ReplayStore store, ReplayStep step, Clock clock) {
        this.store = store;
        this.step = step;
        this.clock = clock;
    }

    @Override
    public void start() {
        running = true;
        steps = Mono.defer(this::step)
                .doOnNext(worked -> failing = false)
                .onErrorResume(failure -> {
                    report(failure);
                    return Mono.just(false);
                })
                .flatMap(worked -> worked ? Mono.empty() : Mono.delay(pause()))
                .repeat()
                .subscribe();
    }

    /** Gives whether there was a replay to claim. */
    private Mono<Boolean> step() {
        UUID claim = UUID.randomUUID();
        return store.claim(claim, clock.instant(), LEASE)
                .flatMap(replay -> step.step(replay, clock.instant()))
                .flatMap(after -> store.save(after, claim, clock.instant()).thenReturn(true))
                .defaultIfEmpty(false);
    }

    /** Logs one line for an outage, not one for each step. */
    private void report(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue("event.action", "replay_failed")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("A step of a replay of webhooks failed; it is repeated when its lease ends");
        }
    }

    private static Duration pause() {
        return PAUSE.multipliedBy(50 + ThreadLocalRandom.current().nextLong(100))
                .dividedBy(100);
    }

    @Override
    public void stop() {
        running = false;
        steps.dispose();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
