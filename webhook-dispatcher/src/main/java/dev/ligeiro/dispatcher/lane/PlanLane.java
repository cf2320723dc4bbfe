package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.dispatcher.lane.LanePlan.AssignNumbers;
import dev.ligeiro.dispatcher.lane.LanePlan.Attempt;
import dev.ligeiro.dispatcher.lane.LanePlan.Cancel;
import dev.ligeiro.dispatcher.lane.LanePlan.Wait;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Plans what follows in a lane: reads its endpoint, whose URL or secret may have changed, and its due deliveries. */
@Component
class PlanLane {

    private final DeliveryStore deliveries;
    private final EndpointStore endpoints;

    PlanLane(DeliveryStore deliveries, EndpointStore endpoints) {
        this.deliveries = deliveries;
        this.endpoints = endpoints;
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
        return deliveries
                .due(endpoint.id(), now, limit)
                .map(due -> new Attempt(endpoint, due.deliveries(), due.unreadable(), due.size() == limit));
    }
}
