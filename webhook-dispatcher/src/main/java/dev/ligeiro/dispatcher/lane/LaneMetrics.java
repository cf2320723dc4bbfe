package dev.ligeiro.dispatcher.lane;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/**
 * The gauges of the backlog, as {@link LaneSweep} last measured it; NaN while MongoDB is unavailable. All processes report the same
 * numbers, except for the lanes that each has claimed. Together with the consumer lag they tell how many dispatchers are needed.
 */
@Component
class LaneMetrics {

    private static final double MILLIS_PER_SECOND = 1000;

    private volatile Backlog backlog = Backlog.UNKNOWN;

    LaneMetrics(MeterRegistry metrics, ClaimedLanes claimed) {
        gauge(metrics, "ligeiro.webhook.due", "Deliveries that are due, counted up to 10,000", Backlog::due);
        gauge(
                metrics,
                "ligeiro.webhook.due.oldest",
                "Seconds since the earliest due time of a scheduled delivery",
                Backlog::oldestSeconds);
        lanes(metrics, "due", Backlog::dueLanes);
        lanes(metrics, "open", Backlog::openLanes);
        lanes(metrics, "all", Backlog::lanes);
        Gauge.builder("ligeiro.webhook.lanes.claimed", claimed, ClaimedLanes::count)
                .description("Lanes that this process works on")
                .register(metrics);
    }

    private void lanes(MeterRegistry metrics, String state, ToDoubleFunction<Backlog> value) {
        Gauge.builder("ligeiro.webhook.lanes", this, self -> value.applyAsDouble(self.backlog))
                .description("Lanes by state: due, with an open circuit breaker, all")
                .tag("state", state)
                .register(metrics);
    }

    private void gauge(MeterRegistry metrics, String name, String description, ToDoubleFunction<Backlog> value) {
        Gauge.builder(name, this, self -> value.applyAsDouble(self.backlog))
                .description(description)
                .register(metrics);
    }

    void measured(Duration oldest, long due, long lanes, long openLanes, long dueLanes) {
        backlog = new Backlog(Math.max(0, oldest.toMillis()) / MILLIS_PER_SECOND, due, lanes, openLanes, dueLanes);
    }

    void unknown() {
        backlog = Backlog.UNKNOWN;
    }

    private record Backlog(double oldestSeconds, double due, double lanes, double openLanes, double dueLanes) {

        private static final Backlog UNKNOWN = new Backlog(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
}
