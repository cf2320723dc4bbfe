package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.ViewProperties;
import dev.ligeiro.dispatcher.intake.PlanDeliveries.Planned.Way;
import dev.ligeiro.dispatcher.lane.Breaker;
import dev.ligeiro.dispatcher.lane.LaneProperties;
import dev.ligeiro.dispatcher.lane.LaneStore;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.transaction.Clocks;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Plans the deliveries of a batch of events: reads endpoints and lanes once, then decodes the events that at least one endpoint
 * subscribes to. An event goes to the endpoints that were subscribed to it when it happened. An event that is attempted from memory gets one payload for all its endpoints. An event becomes a dead letter if it cannot
 * be decoded or converted to a payload, or if its merchant has an endpoint that cannot be decoded.
 */
@Component
class PlanDeliveries {

    private static final Logger LOG = LoggerFactory.getLogger(PlanDeliveries.class);

    /** A delivery that ended at once, by a clock that is behind, may be deleted after this time. */
    private static final Duration OLDEST = Delivery.KEPT.minus(Clocks.APART_MAX);

    private final EndpointStore endpoints;
    private final LaneStore lanes;
    private final Breaker breaker;
    private final WebhookPayload payload;
    private final DeadLetters deadLetters;
    private final Clock clock;

    PlanDeliveries(
            EndpointStore endpoints,
            LaneStore lanes,
            LaneProperties properties,
            ViewProperties view,
            DeadLetters deadLetters,
            Clock clock) {
        this.endpoints = endpoints;
        this.lanes = lanes;
        this.breaker = properties.breaker();
        this.payload = view.payload();
        this.deadLetters = deadLetters;
        this.clock = clock;
    }

    /** A new delivery, and what the intake does with it. */
    record Planned(Dispatch dispatch, Way way) {

        enum Way {
            /** It is attempted from memory, then stored. */
            ATTEMPT,
            /** It is stored for its endpoint's lane, because the endpoint is not free, or because the event may be a repetition. */
            STORE,
            /** It is stored for the feed of its tenant. */
            FEED,
            /** It is stored as canceled, because its endpoint is disabled: the merchant can ask what it missed. */
            CANCEL
        }
    }

    /** Endpoints and lanes as they were at the start of the batch. */
    record Seen(EndpointStore.Found endpoints, Map<UUID, Lane> lanes) {}

    Mono<Seen> look(List<ReceivedEvent> received) {
        Set<Tenant> tenants = received.stream().map(ReceivedEvent::tenant).collect(Collectors.toSet());
        return Mono.zip(endpoints.ofTenants(tenants), lanes.ofTenants(tenants, clock.instant()), Seen::new)
                // not on the driver's threads: the next step builds the payloads
                .publishOn(Schedulers.parallel());
    }

    /** The deliveries, planned event by event as they are asked for. Dead letters are written at the end. */
    Flux<Planned> plan(EventBatch batch, List<ReceivedEvent> received, Seen seen) {
        List<DeadLetter> unusable = new ArrayList<>();
        return Flux.fromIterable(received)
                .concatMapIterable(one -> plan(batch, one, seen, unusable), 1)
                .concatWith(Flux.defer(() -> write(batch, unusable).thenMany(Flux.empty())));
    }

    private Mono<Void> write(EventBatch batch, List<DeadLetter> unusable) {
        List<DeadLetter> unwritten = batch.unwritten(unusable);
        return deadLetters.write(unwritten).doOnSuccess(done -> batch.written(unwritten));
    }

    private List<Planned> plan(EventBatch batch, ReceivedEvent one, Seen seen, List<DeadLetter> unusable) {
        if (seen.endpoints().unreadable().contains(one.tenant())) {
            // redriven once the endpoint can be read, the event reaches it, and the others again with the same
            // webhook-id
            unusable.add(DeadLetter.failed(one.record(), new UnreadableEndpoint()));
        }
        try {
            boolean wanted = seen.endpoints().of(one.tenant()).stream()
                    .anyMatch(endpoint -> endpoint.events().containsKey(one.type()));
            return wanted ? plan(one, batch.mayAttempt(one.record()), seen) : List.of();
        } catch (InvalidMessage fault) {
            unusable.add(DeadLetter.invalid(one.record(), fault));
        } catch (RuntimeException fault) {
            unusable.add(DeadLetter.failed(one.record(), fault));
        }
        return List.of();
    }

    /**
     * Selects the endpoints by the decoded event, not by the record's headers, which only decide whether to decode it. Processors may send an
     * event again at any time. That is no second delivery as long as the first one is stored; then the event is too old for any endpoint.
     */
    private List<Planned> plan(ReceivedEvent one, boolean mayAttempt, Seen seen) {
        TransactionEvent event = one.event();
        if (event.at().isBefore(clock.instant().minus(OLDEST))) {
            LOG.atInfo()
                    .addKeyValue("event.action", "event_too_old")
                    .addKeyValue("webhook_id", event.id())
                    .log("An event is older than deliveries are kept; it is not sent");
            return List.of();
        }
        List<WebhookEndpoint> subscribed = seen
                .endpoints()
                .of(event.transaction().tenant())
                .stream()
                .filter(endpoint -> endpoint.wants(event.type(), event.at()))
                .toList();
        if (subscribed.isEmpty()) {
            return List.of();
        }
        byte[] body = Dispatch.NO_BODY;
        List<Planned> planned = new ArrayList<>(subscribed.size());
        for (WebhookEndpoint endpoint : subscribed) {
            Way way = way(endpoint, mayAttempt, seen);
            if (way == Way.ATTEMPT && body.length == 0) {
                body = payload.of(event);
            }
            Dispatch dispatch = new Dispatch(
                    endpoint, event.id(), event.type().code(), event.at(), body, 0, false, null, one.origin());
            planned.add(new Planned(dispatch, way));
        }
        return planned;
    }

    /** The event may be for an endpoint that this version cannot decode. */
    private static final class UnreadableEndpoint extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    private Way way(WebhookEndpoint endpoint, boolean mayAttempt, Seen seen) {
        if (endpoint.isFeed()) {
            return Way.FEED;
        }
        if (!endpoint.status().isEnabled()) {
            return Way.CANCEL;
        }
        return mayAttempt && breaker.isFree(seen.lanes().get(endpoint.id()), clock.instant()) ? Way.ATTEMPT : Way.STORE;
    }
}
