package dev.ligeiro.processor.due;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Duration;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Runs one pass of the due work after the other. The pauses have jitter, so that processors do not request the lease together. */
@Component
class DueWork extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(DueWork.class);
    private static final double JITTER = 0.2;
    private static final Duration PROCESSORS_PAUSE = Duration.ofMillis(200);
    private static final Duration STAND_BY_PAUSE = Duration.ofSeconds(2);
    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);

    private final DispatchDue dispatch;
    private final Duration every;
    private volatile Duration pause;

    DueWork(DispatchDue dispatch, DueProperties properties) {
        this.dispatch = dispatch;
        this.every = properties.every();
        this.pause = every;
    }

    @Override
    protected Duration pause() {
        return jittered(pause, JITTER);
    }

    /** A pass. */
    @Override
    protected Mono<Void> run() {
        return dispatch.pass()
                .doOnNext(state -> pause = pauseAfter(state))
                .doOnError(failure -> pause = every)
                .then();
    }

    private Duration pauseAfter(DispatchDue.State state) {
        return switch (state) {
            case DONE -> every;
            case WAITS_FOR_PROCESSORS -> PROCESSORS_PAUSE;
            case STANDS_BY -> STAND_BY_PAUSE;
        };
    }

    @Override
    protected void report(Throwable failure) {
        // at the first start of a system, the topics and the index are still being created
        boolean isFirstStart = failure instanceof UnknownTopicOrPartitionException || DueStore.isIndexMissing(failure);
        LOG.atLevel(isFirstStart ? Level.INFO : Level.WARN)
                .addKeyValue("event.action", "due_work_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("Transactions that are due were not looked at; the next pass does it");
    }

    /**
     * Ends the pass under way, then releases the lease if MongoDB answers within 1 s; otherwise the lease expires. Commands of that pass may
     * be sent again by the next processor.
     */
    @Override
    public void stop(Runnable stopped) {
        super.stop();
        dispatch.release()
                .timeout(RELEASE_MAX)
                .onErrorComplete()
                .doFinally(signal -> stopped.run())
                .subscribe();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }
}
