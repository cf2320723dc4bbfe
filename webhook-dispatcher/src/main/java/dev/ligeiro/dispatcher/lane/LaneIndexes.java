package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The indexes that the work on lanes needs. */
@Component
class LaneIndexes {

    private final DeliveryStore deliveries;
    private final LaneStore lanes;

    LaneIndexes(DeliveryStore deliveries, LaneStore lanes) {
        this.deliveries = deliveries;
        this.lanes = lanes;
    }

    /** Idempotent. */
    Mono<Void> create() {
        return Mono.when(deliveries.createIndexes(), lanes.createIndexes());
    }
}
