package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
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
    /** Between two searches for a replay when there was none, ±50 %. A search costs MongoDB about 0.2 ms. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final ReplayStore store;
    private final ReplayStep step;
    private final Clock clock;
    private final RepeatedWork work =
            new RepeatedWork(() -> RepeatedWork.jittered(PAUSE, 0.5), this::stepsUntilNoneIsLeft, RunReplays::report);

    RunReplays(ReplayStore store, ReplayStep step, Clock clock) {
        this.store = store;
        this.step = step;
        this.clock = clock;
    }

    private Mono<Void> stepsUntilNoneIsLeft() {
        return Mono.defer(this::step).repeat().takeWhile(worked -> worked).then();
    }

    /** Gives whether there was a replay to claim. */
    private Mono<Boolean> step() {
        UUID claim = UUID.randomUUID();
        return store.claim(claim, clock.instant(), LEASE)
                .flatMap(replay -> step.step(replay, clock.instant()))
                .flatMap(after -> store.save(after, claim, clock.instant()).thenReturn(true))
                .defaultIfEmpty(false);
    }

    private static void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "replay_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("A step of a replay of webhooks failed; it is repeated when its lease ends");
    }

    @Override
    public void start() {
        work.start();
    }

    @Override
    public void stop() {
        work.stop();
    }

    @Override
    public boolean isRunning() {
        return work.isRunning();
    }
}
