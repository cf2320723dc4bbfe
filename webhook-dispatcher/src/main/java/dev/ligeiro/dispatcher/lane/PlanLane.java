package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.dispatcher.delivery.DueDeliveries;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.dispatcher.lane.LanePlan.AssignNumbers;
import dev.ligeiro.dispatcher.lane.LanePlan.Attempt;
import dev.ligeiro.dispatcher.lane.LanePlan.Cancel;
import dev.ligeiro.dispatcher.lane.LanePlan.Wait;
import dev.ligeiro.dispatcher.payload.StoredPayloads;
import dev.ligeiro.message.EventId;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Plans what follows in a lane: reads its endpoint, whose URL or secret may have changed, and its due deliveries, and builds payloads
 * that are not stored.
 */
@Component
class PlanLane {

    private final DeliveryStore deliveries;
    private final EndpointStore endpoints;
    private final StoredPayloads payloads;

    PlanLane(DeliveryStore deliveries, EndpointStore endpoints, StoredPayloads payloads) {
        this.deliveries = deliveries;
        this.endpoints = endpoints;
        this.payloads = payloads;
    }

    Mono<LanePlan> plan(UUID endpointId, Instant now, int limit) {
        return endpoints
                .find(endpointId)
                .flatMap(found ->
                        found.map(endpoint -> plan(endpoint, now, limit)).orElseGet(() -> Mono.just(new Wait())))
                .defaultIfEmpty(new Cancel());
    }

    private Mono<LanePlan> plan(WebhookEndpoint endpoint, Instant now, int limit) {
        if (!endpoint.status().isEnabled()) {
            return Mono.just(new Cancel());
        }
        return endpoint.isFeed() ? Mono.just(new AssignNumbers()) : attempts(endpoint, now, limit);
    }

    private Mono<LanePlan> attempts(WebhookEndpoint endpoint, Instant now, int limit) {
        return deliveries.due(endpoint.id(), now, limit).flatMap(due -> attempts(endpoint, due, due.size() == limit));
    }

    private Mono<LanePlan> attempts(WebhookEndpoint endpoint, DueDeliveries due, boolean more) {
        List<EventId> withoutBody = due.deliveries().stream()
                .filter(delivery -> delivery.body() == null)
                .map(delivery -> delivery.id().eventId())
                .toList();
        return payloads.of(withoutBody).map(built -> attempts(endpoint, due, built, more));
    }

    private static LanePlan attempts(
            WebhookEndpoint endpoint, DueDeliveries due, Map<EventId, byte[]> built, boolean more) {
        List<Dispatch> dispatches = new ArrayList<>(due.size());
        List<Dispatch> lost = new ArrayList<>();
        for (Delivery delivery : due.deliveries()) {
            byte[] body = delivery.body() == null ? built.get(delivery.id().eventId()) : delivery.body();
            (body == null ? lost : dispatches).add(dispatch(endpoint, delivery, body == null ? new byte[0] : body));
        }
        return new Attempt(dispatches, lost, due.unreadable(), more);
    }

    private static Dispatch dispatch(WebhookEndpoint endpoint, Delivery delivery, byte[] body) {
        return new Dispatch(
                endpoint,
                delivery.id().eventId(),
                delivery.eventType(),
                delivery.eventAt(),
                body,
                delivery.attempts(),
                delivery.nextAttemptAt(),
                delivery.origin());
    }
}
