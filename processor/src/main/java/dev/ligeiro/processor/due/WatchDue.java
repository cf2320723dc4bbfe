package dev.ligeiro.processor.due;

import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.support.observe.KnownGauge;
import dev.ligeiro.support.work.Interval;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Measures every 30 s how late the due work is, how long outcomes have been unknown and cashouts have waited for approval, and logs
 * outcomes that have been unknown for too long. Only the processor with the lease does it.
 */
@Component
class WatchDue {

    /** The most unknown outcomes that are read at once. */
    private static final int ROWS_MAX = 1_000;

    private static final double MILLIS_PER_SECOND = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(WatchDue.class);

    private final DueStore store;
    private final Rails rails;
    private final Duration stuckAfter;
    private final Clock clock;
    private final Interval every = new Interval(Duration.ofSeconds(30));
    private final KnownGauge behind;
    private final KnownGauge behindAge;
    private final KnownGauge stuck;
    private final KnownGauge unknownOldest;
    private final KnownGauge unapproved;
    private final KnownGauge unapprovedOldest;

    WatchDue(DueStore store, Rails rails, MeterRegistry meters, DueProperties properties, Clock clock) {
        this.store = store;
        this.rails = rails;
        this.stuckAfter = properties.stuckAfter();
        this.clock = clock;
        this.behind = new KnownGauge(
                meters,
                "ligeiro.due.behind",
                "Transactions that are due and have no command yet, at most 10,000",
                "transactions");
        this.behindAge = new KnownGauge(
                meters,
                "ligeiro.due.behind.age",
                "Time since the oldest of them was due, 0 if there is none",
                "seconds");
        this.stuck = new KnownGauge(
                meters,
                "ligeiro.due.stuck",
                "Transactions with a rail call whose outcome has been unknown for too long, at most 10,000",
                "transactions");
        this.unknownOldest = new KnownGauge(
                meters,
                "ligeiro.rail.unknown.oldest",
                "Time for which the oldest unknown outcome of a rail call has been unknown, 0 if there is none",
                "seconds");
        this.unapproved = new KnownGauge(
                meters, "ligeiro.approvals.waiting", "Cashouts that wait for approval, at most 10,000", "transactions");
        this.unapprovedOldest = new KnownGauge(
                meters,
                "ligeiro.approvals.oldest",
                "Time for which the oldest of them has been waiting, 0 if there is none",
                "seconds");
    }

    /** Never fails: the metrics that MongoDB cannot tell are unknown until the next time. */
    Mono<Void> watch() {
        Instant now = clock.instant();
        if (!every.begin(now)) {
            return Mono.empty();
        }
        return Mono.zip(
                        store.dueBefore(now),
                        store.unsettledSinceBefore(now.minus(stuckAfter)),
                        store.oldestUnsettled(ROWS_MAX).collectList(),
                        store.unapprovedBefore(now))
                .doOnNext(found -> {
                    behind.known(found.getT1().count());
                    behindAge.known(seconds(found.getT1().age(now)));
                    stuck.known(found.getT2().count());
                    unknownOldest.known(ageByRail(found.getT3(), now));
                    unapproved.known(found.getT4().count());
                    unapprovedOldest.known(seconds(found.getT4().age(now)));
                    report(found.getT2(), now);
                })
                .doOnError(unavailable -> unknown())
                .onErrorComplete()
                .then();
    }

    /** Another processor has the lease and measures, or MongoDB does not tell who has it. */
    void standBy() {
        every.reset();
        unknown();
    }

    private void unknown() {
        List.of(behind, behindAge, stuck, unknownOldest, unapproved, unapprovedOldest)
                .forEach(KnownGauge::unknown);
    }

    /**
     * The age of the oldest unknown outcome of each rail; 0 for a rail without one. If there are more than {@value ROWS_MAX}, a rail that has
     * none of the oldest ones is left out, since it may have younger ones.
     */
    private Map<Tags, Double> ageByRail(List<DueStore.Unsettled> oldest, Instant now) {
        Map<Tags, Double> ages = new HashMap<>();
        // the first row of a rail is its oldest
        oldest.forEach(
                row -> ages.putIfAbsent(Tags.of("rail", row.rail()), seconds(Duration.between(row.since(), now))));
        if (oldest.size() < ROWS_MAX) {
            rails.names().forEach(rail -> ages.putIfAbsent(Tags.of("rail", rail), 0d));
        }
        return ages;
    }

    private static void report(DueStore.Waiting stuck, Instant now) {
        if (stuck.count() > 0) {
            LOG.atWarn()
                    .addKeyValue("event.action", "outcomes_stuck")
                    .addKeyValue("transactions", stuck.count())
                    .addKeyValue("oldest_s", stuck.age(now).toSeconds())
                    .log("Outcomes of rail calls have been unknown for too long; GET /admin/unsettled lists them");
        }
    }

    private static double seconds(Duration age) {
        return age.toMillis() / MILLIS_PER_SECOND;
    }
}
