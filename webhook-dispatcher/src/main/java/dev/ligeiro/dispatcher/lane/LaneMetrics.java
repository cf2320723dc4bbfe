package dev.ligeiro.dispatcher.lane;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** The gauge of the claimed lanes, the only one of lanes in which processes differ. */
@Component
class LaneMetrics {

    LaneMetrics(MeterRegistry metrics, ClaimedLanes claimed) {
        Gauge.builder("ligeiro.webhook.lanes.claimed", claimed, ClaimedLanes::count)
                .description("Lanes that this process works on")
                .register(metrics);
    }
}
