package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.api.webhook.delivery.DeliveryListStore;
import dev.ligeiro.gateway.api.webhook.delivery.RedeliverStore;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * One step of a replay: looks at up to 1,000 deliveries, newest first, and schedules those of the time range again. A step that is
 * repeated after a crash leaves the deliveries that it has scheduled, also those that have ended since.
 */
@Component
class ReplayStep {

    private static final int LOOKED_MAX = 1_000;

    private final RegisteredEndpointStore endpoints;
    private final DeliveryListStore list;
    private final RedeliverStore store;

    ReplayStep(RegisteredEndpointStore endpoints, DeliveryListStore list, RedeliverStore store) {
        this.endpoints = endpoints;
        this.list = list;
        this.store = store;
    }

    /** The replay after the step. It is canceled if its endpoint is disabled or deleted. */
    Mono<Replay> step(Replay replay, Instant now) {
        return endpoints
                .find(replay.tenant(), replay.endpointId())
                .filter(endpoint -> endpoint.status().isEnabled())
                .flatMap(endpoint ->
                        list.after(replay.position(), replay.request().status(), LOOKED_MAX))
                .flatMap(found -> schedule(replay, found, now)
                        .map(scheduled -> replay.after(found.size(), scheduled, next(found))))
                .defaultIfEmpty(replay.canceled());
    }

    /** Where the next step begins; null after the last one. */
    private static @Nullable DeliveryId next(List<DeliveryListStore.Row> found) {
        return found.size() < LOOKED_MAX ? null : found.get(found.size() - 1).id();
    }

    /**
     * Marks the lane in each step: a gateway may have died after it scheduled deliveries and before it marked the lane. Only the first
     * step ends the open time of the circuit breaker: an endpoint that still fails must not get an attempt per step.
     */
    private Mono<Long> schedule(Replay replay, List<DeliveryListStore.Row> found, Instant now) {
        // a delivery that cannot be decoded is left out
        List<DeliveryId> ids = found.stream()
                .map(DeliveryListStore.Row::delivery)
                .flatMap(Stream::ofNullable)
                .filter(replay.request()::selects)
                .map(StoredDelivery::id)
                .toList();
        Set<String> statuses = replay.request().status().statuses();
        Mono<Long> scheduled =
                ids.isEmpty() ? Mono.just(0L) : store.scheduleAll(ids, replay.endpointId(), statuses, replay.id(), now);
        return scheduled.flatMap(count -> mark(replay, now).thenReturn(count));
    }

    private Mono<Void> mark(Replay replay, Instant now) {
        return replay.looked() == 0
                ? store.markDue(replay.endpointId(), replay.tenant(), now)
                : store.markScheduled(replay.endpointId(), replay.tenant(), now);
    }
}
