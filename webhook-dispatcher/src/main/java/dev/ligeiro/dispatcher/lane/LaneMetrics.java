package dev.ligeiro.dispatcher.lane;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** The number of lanes that this process has claimed. The other metrics of lanes, in {@code backlog}, are the same in all processes. */
@Component
class LaneMetrics {

    LaneMetrics(MeterRegistry metrics, ClaimedLanes claimed) {
        Gauge.builder("ligeiro.webhook.lanes.claimed", claimed, ClaimedLanes::count)
                .description("Lanes that this process works on")
                .register(metrics);
    }
}
