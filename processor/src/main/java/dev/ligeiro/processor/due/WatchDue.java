package dev.ligeiro.processor.due;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Counts every 30 s the due transactions and the outcomes that have been unknown for too long, and logs those outcomes. */
@Component
class WatchDue {

    private static final Logger LOG = LoggerFactory.getLogger(WatchDue.class);
    private static final Duration EVERY = Duration.ofSeconds(30);

    private final DueStore store;
    private final DueMetrics metrics;
    private final Duration stuckAfter;
    private final Clock clock;
    private volatile Instant nextAt = Instant.EPOCH;

    WatchDue(DueStore store, DueMetrics metrics, DueProperties properties, Clock clock) {
        this.store = store;
        this.metrics = metrics;
        this.stuckAfter = properties.stuckAfter();
        this.clock = clock;
    }

    Mono<Void> watch() {
        Instant now = clock.instant();
        if (now.isBefore(nextAt)) {
            return Mono.empty();
        }
        nextAt = now.plus(EVERY);
        return store.dueBefore(now)
                .zipWith(store.unsettledSinceBefore(now.minus(stuckAfter)))
                .doOnNext(found -> {
                    metrics.waiting(found.getT1(), found.getT2());
                    report(found.getT2(), now);
                })
                .then();
    }

    /** Another processor has the lease, and measures. */
    void standBy() {
        nextAt = Instant.EPOCH;
        metrics.waiting(DueStore.Waiting.NONE, DueStore.Waiting.NONE);
    }

    private void report(DueStore.Waiting stuck, Instant now) {
        if (stuck.count() > 0) {
            LOG.atWarn()
                    .addKeyValue("event.action", "outcomes_stuck")
                    .addKeyValue("transactions", stuck.count())
                    .addKeyValue(
                            "oldest_s", Duration.between(stuck.oldest(), now).toSeconds())
                    .log("Outcomes of rail calls have been unknown for too long; GET /admin/unsettled lists them");
        }
    }
}
