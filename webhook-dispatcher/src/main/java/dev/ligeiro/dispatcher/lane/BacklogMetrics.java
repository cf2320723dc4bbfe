package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * The gauges of the backlog, as {@link SweepLanes} last measured it; absent while MongoDB is unavailable. All processes report the same
 * numbers. Together with the consumer lag they tell how many dispatchers are needed.
 */
@Component
class BacklogMetrics {

    private static final double MILLIS_PER_SECOND = 1_000;

    private final KnownGauge due;
    private final KnownGauge oldest;
    private final KnownGauge lanes;
    private final KnownGauge failingLongest;

    BacklogMetrics(MeterRegistry metrics) {
        this.due =
                new KnownGauge(metrics, "ligeiro.webhook.due", "Deliveries that are due, counted up to 10,000", null);
        this.oldest = new KnownGauge(
                metrics,
                "ligeiro.webhook.due.oldest",
                "Time since the earliest due time of a delivery, by the circuit breaker of its endpoint",
                "seconds");
        this.lanes = new KnownGauge(
                metrics, "ligeiro.webhook.lanes", "Lanes by state: due, with an open circuit breaker, all", null);
        this.failingLongest = new KnownGauge(
                metrics,
                "ligeiro.webhook.failing.longest",
                "Time since the first failure of the endpoint that has failed for longest, 0 if none fails",
                "seconds");
    }

    void measured(OldestDue oldestDue, long dueDeliveries, LaneCounts counts, Instant now) {
        oldest.known(Map.of(
                Tags.of("breaker", "closed"), seconds(oldestDue.closed(), now),
                Tags.of("breaker", "opened"), seconds(oldestDue.opened(), now)));
        due.known(dueDeliveries);
        lanes.known(Map.of(
                Tags.of("state", "due"), (double) counts.due(),
                Tags.of("state", "open"), (double) counts.open(),
                Tags.of("state", "all"), (double) counts.all()));
        failingLongest.known(seconds(counts.failingSince(), now));
    }

    void unknown() {
        oldest.unknown();
        due.unknown();
        lanes.unknown();
        failingLongest.unknown();
    }

    private static double seconds(Instant since, Instant now) {
        return since.isAfter(now) ? 0 : Duration.between(since, now).toMillis() / MILLIS_PER_SECOND;
    }
}
