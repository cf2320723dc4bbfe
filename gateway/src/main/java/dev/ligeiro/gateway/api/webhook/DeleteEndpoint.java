package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Deletes an endpoint. A dispatcher then cancels its outstanding deliveries. */
@Component
class DeleteEndpoint {

    private final EndpointStore store;
    private final LaneStore lanes;
    private final Clock clock;

    DeleteEndpoint(EndpointStore store, LaneStore lanes, Clock clock) {
        this.store = store;
        this.lanes = lanes;
        this.clock = clock;
    }

    /** False when the tenant has no such endpoint. */
    Mono<Boolean> delete(Tenant tenant, UUID id) {
        return store.delete(tenant, id)
                .flatMap(deleted ->
                        deleted ? lanes.markDue(id, tenant, clock.instant()).thenReturn(true) : Mono.just(false));
    }
}
