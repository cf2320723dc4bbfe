package dev.ligeiro.processor.due;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Duration;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Runs one pass of the due work after the other. The pauses have jitter, so that processors do not request the lease together. */
@Component
class DueWork implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(DueWork.class);
    private static final double JITTER = 0.2;
    private static final Duration PROCESSORS_PAUSE = Duration.ofMillis(200);
    private static final Duration STAND_BY_PAUSE = Duration.ofSeconds(2);
    private static final Duration LAST_PASS_MAX = Duration.ofSeconds(2);
    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);

    private final DispatchDue dispatch;
    private final Duration every;
    private final Sinks.Empty<Void> stopping = Sinks.empty();
    private final Sinks.Empty<Void> lastPassEnded = Sinks.empty();
    private volatile Disposable passes = () -> {};
    private volatile Duration pause;
    private volatile boolean failing;
    private volatile boolean running;

    DueWork(DispatchDue dispatch, DueProperties properties) {
        this.dispatch = dispatch;
        this.every = properties.every();
        this.pause = every;
    }

    @Override
    public void start() {
        running = true;
        passes = Mono.defer(() -> Mono.firstWithSignal(
                        Mono.delay(RepeatedWork.jittered(pause, JITTER)).then(), stopping.asMono()))
                .then(Mono.defer(() -> running ? dispatch.pass() : Mono.empty()))
                .doOnNext(state -> {
                    failing = false;
                    pause = pauseAfter(state);
                })
                .onErrorResume(failure -> {
                    report(failure);
                    pause = every;
                    return Mono.empty();
                })
                .repeat(() -> running)
                .doFinally(signal -> lastPassEnded.tryEmitEmpty())
                .subscribe();
    }

    private Duration pauseAfter(DispatchDue.State state) {
        return switch (state) {
            case DONE -> every;
            case WAITS_FOR_PROCESSORS -> PROCESSORS_PAUSE;
            case STANDS_BY -> STAND_BY_PAUSE;
        };
    }

    /** Logs one line for an outage, not one for each pass. */
    private void report(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.atLevel(isFirstStart(failure) ? Level.INFO : Level.WARN)
                    .addKeyValue("event.action", "due_work_failed")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("Transactions that are due were not looked at; the next pass does it");
        }
    }

    /** At the first start of a system, the topics and the index are still being created. */
    private static boolean isFirstStart(Throwable failure) {
        return failure instanceof UnknownTopicOrPartitionException || failure instanceof DueIndexMissing;
    }

    /**
     * Waits up to 2 s for the end of the current pass, then releases the lease if MongoDB answers within 1 s; otherwise the lease
     * expires.
     */
    @Override
    public void stop(Runnable stopped) {
        running = false;
        stopping.tryEmitEmpty();
        lastPassEnded
                .asMono()
                .timeout(LAST_PASS_MAX)
                .onErrorComplete()
                .doFinally(signal -> passes.dispose())
                .then(Mono.defer(() -> dispatch.release().timeout(RELEASE_MAX)))
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
