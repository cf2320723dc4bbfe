package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Stores a delivery of a test event. The dispatcher sends it as any other, with the same checks, headers and retries, and before all others
 * of the endpoint: a person waits for it.
 */
@Component
class SendTestEvent {

    private final DeliveryListStore list;
    private final RedeliverStore store;
    private final Clock clock;

    SendTestEvent(DeliveryListStore list, RedeliverStore store, Clock clock) {
        this.list = list;
        this.store = store;
        this.clock = clock;
    }

    /** The scheduled delivery. Fails with a problem 409 if the endpoint is disabled. */
    Mono<StoredDelivery> send(WebhookEndpoint endpoint) {
        DisabledEndpoint.refuse(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.beforeAll(endpoint.id(), now)
                .map(at -> TestEvent.delivery(endpoint.id(), now, at))
                .flatMap(delivery -> store.insert(delivery)
                        .then(store.markDue(endpoint.id(), endpoint.tenant(), now))
                        .then(list.find(delivery.id())));
    }
}
