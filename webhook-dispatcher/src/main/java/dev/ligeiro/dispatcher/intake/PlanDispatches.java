package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
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
 * Plans who is to be told of a batch's events: one read of the endpoints, one payload per event that somebody wants, which is also the only
 * kind that is read. An event that cannot be, or that no payload can be made of, goes to the dead letters.
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
                // off the driver's threads: payloads are made here
                .publishOn(Schedulers.parallel())
                .flatMap(found -> plan(received, found));
    }

    private Mono<List<PendingDispatch>> plan(List<ReceivedEvent> received, Map<Tenant, List<WebhookEndpoint>> found) {
        List<PendingDispatch> dispatches = new ArrayList<>(received.size());
        List<DeadLetter> unusable = new ArrayList<>();
        for (ReceivedEvent one : received) {
            try {
                if (!wanting(one.tenant(), one.type(), found).isEmpty()) {
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

    private static List<WebhookEndpoint> wanting(
            Tenant tenant, EventType type, Map<Tenant, List<WebhookEndpoint>> found) {
        return found.getOrDefault(tenant, List.of()).stream()
                .filter(endpoint -> endpoint.receives(type))
                .toList();
    }

    /** Whose event it is, the event itself decides: headers only say that it is worth reading. */
    private void add(
            List<PendingDispatch> dispatches, TransactionEvent event, Map<Tenant, List<WebhookEndpoint>> found) {
        List<WebhookEndpoint> wanting = wanting(event.transaction().tenant(), event.eventType(), found);
        if (wanting.isEmpty()) {
            return;
        }
        byte[] body = payload.of(event);
        for (WebhookEndpoint endpoint : wanting) {
            dispatches.add(new PendingDispatch(endpoint, event.id(), event.eventType(), event.at(), body, List.of()));
        }
    }
}
