package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.FirstAttempts;
import dev.ligeiro.dispatcher.attempt.FirstAttempts.Result;
import dev.ligeiro.dispatcher.attempt.ViewProperties;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.dispatcher.lane.Breaker;
import dev.ligeiro.dispatcher.lane.LaneMark;
import dev.ligeiro.dispatcher.lane.LaneProperties;
import dev.ligeiro.dispatcher.lane.LaneStore;
import dev.ligeiro.dispatcher.lane.LaneWorker;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.transaction.Clocks;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Processes a batch of events: plans the deliveries, makes the first attempts of those whose endpoints are free, and stores all. When it
 * completes, every (event, subscribed endpoint) pair has a delivery in MongoDB, so the batch's offsets may be committed. Idempotent:
 * repeating it creates no second delivery.
 *
 * <p>An event goes to the endpoints that were subscribed to it when it happened. It becomes a dead letter if it cannot be decoded or
 * converted to a payload, or if its merchant has an endpoint that cannot be decoded.
 *
 * <p>The deliveries are stored first, then the lanes of those that need another attempt are marked. This order, and marking the lanes of
 * deliveries that were already stored, keep a crash between the two writes from losing a lane: Kafka delivers the batch again. The dead
 * letters come last, so that a batch that is tried again writes them once.
 */
@Component
class DispatchEvents {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchEvents.class);

    /** Retries during a short outage of MongoDB (about 35 s), because the next try of the batch forgets the results of its attempts. */
    private static final Retry RETRY = Retry.backoff(20, Duration.ofMillis(100))
            .maxBackoff(Duration.ofSeconds(2))
            .filter(fault -> MongoFaults.classified(fault) instanceof TransientFault)
            .onRetryExhaustedThrow((retry, last) -> last.failure());
    /** A delivery that ended at once, by a clock that is behind, may be deleted after this time. */
    private static final Duration OLDEST = Delivery.KEPT.minus(Clocks.APART_MAX);

    private final EndpointStore endpoints;
    private final LaneStore lanes;
    private final DeliveryStore deliveries;
    private final FirstAttempts attempts;
    private final CompleteAttempts complete;
    private final LaneWorker laneWorker;
    private final DeadLetters deadLetters;
    private final DeliveryMetrics metrics;
    private final Clock clock;
    private final BatchBytes partBytes;
    private final WebhookPayload payload;
    private final Breaker breaker;
    private final Duration slowFor;
    private final Duration longestRun;

    DispatchEvents(
            EndpointStore endpoints,
            LaneStore lanes,
            DeliveryStore deliveries,
            FirstAttempts attempts,
            CompleteAttempts complete,
            LaneWorker laneWorker,
            DeadLetters deadLetters,
            DeliveryMetrics metrics,
            Clock clock,
            BatchBytes partBytes,
            ViewProperties view,
            LaneProperties lane,
            WebhookProperties webhook) {
        this.endpoints = endpoints;
        this.lanes = lanes;
        this.deliveries = deliveries;
        this.attempts = attempts;
        this.complete = complete;
        this.laneWorker = laneWorker;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.clock = clock;
        this.partBytes = partBytes;
        this.payload = view.payload();
        this.breaker = lane.breaker();
        this.slowFor = lane.slowFor();
        this.longestRun = webhook.batchWindow().plus(webhook.lease());
    }

    /** A new delivery, and what the intake does with it. */
    private record Planned(Dispatch dispatch, Way way) {

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
    private record Seen(EndpointStore.Found endpoints, Map<UUID, Lane> lanes) {}

    /** Fails with {@link EndpointStore.TooLarge}, before any attempt, if a smaller part should be tried. */
    Mono<Void> dispatch(EventBatch part) {
        List<DeadLetter> unusable = new ArrayList<>();
        List<ReceivedEvent> received = ReceivedEvent.of(part.records(), unusable);
        if (partBytes.belowMax()) {
            logPart(received);
        }
        Mono<Void> stored = received.isEmpty()
                ? Mono.empty()
                : look(received)
                        .flatMapMany(seen -> Flux.fromIterable(received)
                                .concatMapIterable(one -> plan(part, one, seen, unusable), 1)
                                .buffer(DispatcherMemoryBudget.BATCH_DELIVERIES_MAX)
                                .concatMap(planned -> attemptAndStore(part, planned, seen), 0))
                        .then();
        return stored.then(Mono.defer(() -> deadLetters.write(unusable)));
    }

    private Mono<Seen> look(List<ReceivedEvent> received) {
        Set<Tenant> tenants = received.stream().map(ReceivedEvent::tenant).collect(Collectors.toSet());
        return Mono.zip(endpoints.ofTenants(tenants), lanes.ofTenants(tenants, clock.instant()), Seen::new)
                // not on the driver's threads: the next step builds the payloads
                .publishOn(Schedulers.parallel());
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
            Planned.Way way = way(endpoint, mayAttempt, seen);
            if (way == Planned.Way.ATTEMPT && body.length == 0) {
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

    private Planned.Way way(WebhookEndpoint endpoint, boolean mayAttempt, Seen seen) {
        if (endpoint.isFeed()) {
            return Planned.Way.FEED;
        }
        if (!endpoint.status().isEnabled()) {
            return Planned.Way.CANCEL;
        }
        return mayAttempt && breaker.isFree(seen.lanes().get(endpoint.id()), clock.instant())
                ? Planned.Way.ATTEMPT
                : Planned.Way.STORE;
    }

    private Mono<Void> attemptAndStore(EventBatch batch, List<Planned> planned, Seen seen) {
        if (partBytes.belowMax()) {
            logBegin(planned);
        }
        if (planned.size() < DispatcherMemoryBudget.BATCH_DELIVERIES_MAX) {
            batch.planned(planned.size(), seen.endpoints().bytes());
        }
        List<Dispatch> free = planned.stream()
                .filter(one -> one.way() == Planned.Way.ATTEMPT)
                .map(Planned::dispatch)
                .toList();
        // another process may repeat a running attempt only after this time
        Instant leaseEnd = now().plus(longestRun);
        Instant dueAt = batch.dueAt(now());
        if (!free.isEmpty()) {
            batch.attempting(leaseEnd);
        }
        // a late attempt updates its delivery after the insert, and not at all if the insert fails
        Sinks.Empty<Void> stored = Sinks.empty();
        return attempts.run(free, batch::isHeld, late -> stored.asMono()
                        .subscribe(nothing -> {}, notStored -> {}, () -> storeLate(late.stored(leaseEnd))))
                // the next steps process the whole batch
                .publishOn(Schedulers.parallel())
                .flatMap(result -> store(rows(planned, dueAt, result, leaseEnd, seen), result, seen))
                .doOnSuccess(done -> stored.tryEmitEmpty())
                .doOnError(stored::tryEmitError)
                .doOnCancel(() -> stored.tryEmitError(new IllegalStateException("the batch was canceled")));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * @param dueAt when a lane may attempt the deliveries that are only stored
     * @param leaseEnd when another process may repeat the attempts that are still running
     */
    private BatchRows rows(List<Planned> planned, Instant dueAt, Result result, Instant leaseEnd, Seen seen) {
        BatchRows rows = new BatchRows(seen.lanes().keySet(), result.slow(), now(), slowFor);
        for (Completed completed : result.completed()) {
            rows.attempted(completed, complete.complete(completed));
        }
        result.running().forEach(dispatch -> rows.running(dispatch, leaseEnd));
        result.notStarted().forEach(rows::notStarted);
        for (Planned one : planned) {
            switch (one.way()) {
                case STORE -> rows.due(one.dispatch(), dueAt);
                case FEED -> rows.feed(one.dispatch());
                case CANCEL -> rows.canceled(one.dispatch());
                case ATTEMPT -> {}
            }
        }
        return rows;
    }

    private Mono<Void> store(BatchRows rows, Result result, Seen seen) {
        metrics.count(DeliveryStatus.CANCELED, rows.canceled());
        return deliveries
                .insert(rows.deliveries())
                .retryWhen(RETRY)
                .doOnNext(stored -> stored.forEach(rows::alreadyStored))
                // before the marks, which count the failures since the last success and may ask for a pause
                .then(Mono.defer(() -> lanes.recovered(recovered(result, seen))).retryWhen(RETRY))
                .then(Mono.defer(() -> laneWorker.mark(rows.marks())).retryWhen(RETRY));
    }

    /** The endpoints with a success whose lanes have counted failures. */
    private static Set<UUID> recovered(Result result, Seen seen) {
        if (seen.lanes().isEmpty()) {
            return Set.of();
        }
        return result.completed().stream()
                .filter(completed -> completed.outcome() == AttemptOutcome.DELIVERED)
                .map(completed -> completed.dispatch().endpoint().id())
                .filter(id -> hasFailed(seen.lanes().get(id)))
                .collect(Collectors.toSet());
    }

    private static boolean hasFailed(@Nullable Lane lane) {
        return lane != null && !lane.health().equals(Health.GOOD);
    }

    /** Stores the result of an attempt that has outlasted its batch. If the mark fails, the lane is due at the end of the lease. */
    private void storeLate(Completed late) {
        complete.store(late, delivery -> {
            if (delivery.nextAttemptAt() != null) {
                laneWorker
                        .mark(List.of(LaneMark.failed(late, delivery.nextAttemptAt(), now())))
                        .retryWhen(RETRY)
                        .subscribe(marked -> {}, notMarked -> {});
            }
        });
    }

    /** If the process runs out of memory now, this is its last line but one: it names whose events it was working on. */
    private static void logPart(List<ReceivedEvent> received) {
        Map<Tenant, Long> byTenant = new HashMap<>();
        received.forEach(one -> byTenant.merge(one.tenant(), EventBatch.bytes(one.record()), Long::sum));
        byTenant.entrySet().stream().max(Map.Entry.comparingByValue()).ifPresent(largest -> LoggedMerchant.add(
                        LOG.atInfo()
                                .addKeyValue("event.action", "part_begins")
                                .addKeyValue("records", received.size())
                                .addKeyValue(
                                        "bytes",
                                        byTenant.values().stream()
                                                .mapToLong(bytes -> bytes)
                                                .sum()),
                        largest.getKey())
                .addKeyValue("merchant_bytes", largest.getValue())
                .log("A part of a batch begins"));
    }

    /** Follows the line of the part, and names the endpoint with the most deliveries. */
    private static void logBegin(List<Planned> planned) {
        Map<UUID, List<Planned>> byEndpoint = planned.stream()
                .collect(Collectors.groupingBy(one -> one.dispatch().endpoint().id()));
        byEndpoint.values().stream().max(Comparator.comparing(List::size)).ifPresent(busiest -> LoggedMerchant.add(
                        LOG.atInfo()
                                .addKeyValue("event.action", "attempt_batch_begins")
                                .addKeyValue("deliveries", planned.size()),
                        busiest.get(0).dispatch().endpoint().tenant())
                .addKeyValue("endpoint_id", busiest.get(0).dispatch().endpoint().id())
                .addKeyValue("endpoint_deliveries", busiest.size())
                .log("The attempts of a part of a batch begin"));
    }
}
