package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Schedules a delivery that a person waits for: one of the endpoint again, or that of a test event. The dispatcher attempts it before all
 * others of the endpoint, with the same checks, headers and retries. If the gateway dies between the two writes, the merchant repeats the
 * request.
 */
@Component
public class ScheduleDelivery {

    /** Ten times the attempts of the schedule. It limits the size of the stored delivery. */
    static final int ATTEMPTS_MAX = 100;

    private final DeliveryListStore list;
    private final RedeliverStore store;
    private final Clock clock;

    ScheduleDelivery(DeliveryListStore list, RedeliverStore store, Clock clock) {
        this.list = list;
        this.store = store;
        this.clock = clock;
    }

    /** The scheduled delivery, whatever its status was; empty if there is none with this id. Fails with a problem 409 if the endpoint is disabled. */
    Mono<StoredDelivery> again(WebhookEndpoint endpoint, DeliveryId id) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        return list.find(id).doOnNext(delivery -> check(endpoint, delivery)).flatMap(delivery -> store.beforeAll(
                        endpoint.id(), now)
                .flatMap(at -> store.schedule(id, at, now, payload(delivery)))
                .then(store.markDue(endpoint.id(), endpoint.tenant(), now))
                .then(list.find(id)));
    }

    /** The scheduled delivery of a new test event. Fails with a problem 409 if the endpoint is disabled. */
    public Mono<StoredDelivery> testEvent(WebhookEndpoint endpoint) {
        refuseDisabled(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.beforeAll(endpoint.id(), now).flatMap(at -> {
            Delivery delivery = TestEvent.delivery(endpoint.id(), now, at);
            return store.insert(delivery)
                    .then(store.markDue(endpoint.id(), endpoint.tenant(), now))
                    .then(list.find(delivery.id()));
        });
    }

    /**
     * Nothing is scheduled for a disabled endpoint: a dispatcher would cancel it.
     *
     * @throws Problem 409 if {@code endpoint} is disabled
     */
    public static void refuseDisabled(WebhookEndpoint endpoint) {
        if (!endpoint.status().isEnabled()) {
            throw Problem.of(ProblemCode.ENDPOINT_DISABLED, "Enable the webhook endpoint first");
        }
    }

    private static void check(WebhookEndpoint endpoint, StoredDelivery delivery) {
        refuseDisabled(endpoint);
        if (delivery.attempts().size() >= ATTEMPTS_MAX) {
            throw Problem.of(ProblemCode.TOO_MANY_ATTEMPTS, "A delivery has at most " + ATTEMPTS_MAX + " attempts");
        }
    }

    /** Null for an event of a transaction. */
    private static byte @Nullable [] payload(StoredDelivery delivery) {
        return delivery.eventType().equals(TestEvent.TYPE)
                ? TestEvent.payload(delivery.id().endpointId(), delivery.eventAt())
                : null;
    }
}
