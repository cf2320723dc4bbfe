package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.EndpointStore;
import dev.ligeiro.gateway.api.webhook.delivery.DeliveryListStore;
import dev.ligeiro.gateway.api.webhook.delivery.RedeliverStore;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * One step of a replay: looks at up to 1,000 deliveries, newest first, and schedules those of the time range again. A step that is
 * repeated after a crash leaves the deliveries that it has scheduled, also those that have ended since.
 */
@Component
class ReplayStep {

    private static final int LOOKED_MAX = 1_000;

    private final EndpointStore endpoints;
    private final DeliveryListStore list;
    private final RedeliverStore store;

    ReplayStep(EndpointStore endpoints, DeliveryListStore list, RedeliverStore store) {
        this.endpoints = endpoints;
        this.list = list;
        this.store = store;
    }

    /** The replay after the step. It is canceled if its endpoint is disabled or deleted. */
    Mono<Replay> step(Replay replay, Instant now) {
        return endpoints
                .find(replay.tenant(), replay.endpointId())
                .filter(endpoint -> endpoint.status().isEnabled())
                .flatMap(endpoint -> look(replay))
                .flatMap(found -> schedule(replay, found, now)
                        .map(scheduled -> replay.after(found.looked(), scheduled, found.next())))
                .defaultIfEmpty(replay.canceled());
    }

    private Mono<ReplayPage> look(Replay replay) {
        ReplayRequest request = replay.request();
        return list.after(replay.position(), request.status(), LOOKED_MAX)
                .map(found -> ReplayPage.of(found, found.size() < LOOKED_MAX, request));
    }

    /**
     * Marks the lane in each step: a gateway may have died after it scheduled deliveries and before it marked the lane. Only the first
     * step ends the open time of the circuit breaker: an endpoint that still fails must not get an attempt per step.
     */
    private Mono<Long> schedule(Replay replay, ReplayPage found, Instant now) {
        List<DeliveryId> ids = found.matching();
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
