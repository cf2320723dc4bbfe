package dev.ligeiro.processor.due;

import dev.ligeiro.support.work.Interval;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Measures every 30 s how late the due work is and how long outcomes have been unknown, and logs those that have been unknown for too
 * long.
 */
@Component
class WatchDue {

    private static final Logger LOG = LoggerFactory.getLogger(WatchDue.class);

    private final DueStore store;
    private final UnknownByRail unknown;
    private final DueMetrics metrics;
    private final Duration stuckAfter;
    private final Clock clock;
    private final Interval every = new Interval(Duration.ofSeconds(30));

    WatchDue(DueStore store, UnknownByRail unknown, DueMetrics metrics, DueProperties properties, Clock clock) {
        this.store = store;
        this.unknown = unknown;
        this.metrics = metrics;
        this.stuckAfter = properties.stuckAfter();
        this.clock = clock;
    }

    /** Never fails: what MongoDB does not tell is unknown until the next look. */
    Mono<Void> watch() {
        Instant now = clock.instant();
        if (!every.begin(now)) {
            return Mono.empty();
        }
        return Mono.zip(store.dueBefore(now), store.unsettledSinceBefore(now.minus(stuckAfter)), unknown.oldest(now))
                .doOnNext(found -> {
                    metrics.due(found.getT1().count(), found.getT1().age(now));
                    metrics.stuck(found.getT2().count());
                    metrics.unknownByRail(found.getT3());
                    report(found.getT2(), now);
                })
                .doOnError(unavailable -> metrics.unknown())
                .onErrorComplete()
                .then();
    }

    /** Another processor has the lease and measures, or MongoDB does not tell who has it. */
    void standBy() {
        every.reset();
        metrics.unknown();
    }

    private void report(DueStore.Waiting stuck, Instant now) {
        if (stuck.count() > 0) {
            LOG.atWarn()
                    .addKeyValue("event.action", "outcomes_stuck")
                    .addKeyValue("transactions", stuck.count())
                    .addKeyValue("oldest_s", stuck.age(now).toSeconds())
                    .log("Outcomes of rail calls have been unknown for too long; GET /admin/unsettled lists them");
        }
    }
}
