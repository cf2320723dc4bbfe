package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.dispatcher.payload.WebhookPayload;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Plans the dispatches of a batch of events: reads the endpoints once, then builds one payload per event that at least one endpoint
 * subscribes to. Other events are not decoded. An event that cannot be decoded or converted to a payload becomes a dead letter.
 */
@Component
class PlanDispatches {

    private final EndpointStore endpoints;
    private final WebhookPayload payload;
    private final DeadLetters deadLetters;

    PlanDispatches(EndpointStore endpoints, WebhookPayload payload, DeadLetters deadLetters) {
        this.endpoints = endpoints;
        this.payload = payload;
        this.deadLetters = deadLetters;
    }

    Mono<List<PendingDispatch>> plan(List<ReceivedEvent> received) {
        Set<Tenant> tenants = received.stream().map(ReceivedEvent::tenant).collect(Collectors.toSet());
        return endpoints
                .enabled(tenants)
                // not on the driver's threads: the next step builds the payloads
                .publishOn(Schedulers.parallel())
                .flatMap(found -> plan(received, found));
    }

    private Mono<List<PendingDispatch>> plan(List<ReceivedEvent> received, Map<Tenant, List<WebhookEndpoint>> found) {
        List<PendingDispatch> dispatches = new ArrayList<>(received.size());
        List<DeadLetter> unusable = new ArrayList<>();
        for (ReceivedEvent one : received) {
            try {
                if (!subscribed(one.tenant(), one.type(), found).isEmpty()) {
                    add(dispatches, one.event(), found);
                }
            } catch (InvalidMessage fault) {
                unusable.add(DeadLetter.invalid(one.record(), fault));
            } catch (RuntimeException fault) {
                unusable.add(DeadLetter.failed(one.record(), fault));
            }
        }
        return deadLetters.write(unusable).thenReturn(dispatches);
    }

    private static List<WebhookEndpoint> subscribed(
            Tenant tenant, EventType type, Map<Tenant, List<WebhookEndpoint>> found) {
        return found.getOrDefault(tenant, List.of()).stream()
                .filter(endpoint -> endpoint.receives(type))
                .toList();
    }

    /** Selects the endpoints by the decoded event, not by the record's headers, which only decide whether to decode it. */
    private void add(
            List<PendingDispatch> dispatches, TransactionEvent event, Map<Tenant, List<WebhookEndpoint>> found) {
        List<WebhookEndpoint> subscribed = subscribed(event.transaction().tenant(), event.type(), found);
        if (subscribed.isEmpty()) {
            return;
        }
        byte[] body = payload.of(event);
        for (WebhookEndpoint endpoint : subscribed) {
            dispatches.add(
                    new PendingDispatch(endpoint, event.id(), event.type().code(), event.at(), body, List.of()));
        }
    }
}
