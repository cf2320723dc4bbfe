package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.attempt.AttemptBatch;
import dev.ligeiro.dispatcher.attempt.AttemptBatch.Result;
import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.dispatcher.intake.PlanDeliveries.Planned;
import dev.ligeiro.dispatcher.intake.PlanDeliveries.Planned.Way;
import dev.ligeiro.dispatcher.intake.PlanDeliveries.Seen;
import dev.ligeiro.dispatcher.lane.LaneMark;
import dev.ligeiro.dispatcher.lane.LaneProperties;
import dev.ligeiro.dispatcher.lane.LaneStore;
import dev.ligeiro.dispatcher.lane.LaneWorker;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/**
 * Processes a batch of events: plans the deliveries, makes the first attempts of those whose endpoints are free, and stores all. When it
 * completes, every (event, subscribed endpoint) pair has a delivery in MongoDB, so the batch's offsets may be committed. Idempotent:
 * repeating it creates no second delivery.
 *
 * <p>The deliveries are stored first, then the lanes of those that need another attempt are marked. This order, and marking the lanes of
 * deliveries that were already stored, keep a crash between the two writes from losing a lane: Kafka delivers the batch again.
 */
@Component
class DispatchEvents {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchEvents.class);

    /** Retries during a short outage of MongoDB (about 35 s), because the next try of the batch forgets the results of its attempts. */
    private static final Retry RETRY = Retry.backoff(20, Duration.ofMillis(100))
            .maxBackoff(Duration.ofSeconds(2))
            .filter(fault -> MongoFaults.classified(fault) instanceof TransientFault)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final PlanDeliveries plans;
    private final AttemptBatch attempts;
    private final CompleteAttempts complete;
    private final DeliveryStore deliveries;
    private final LaneStore lanes;
    private final LaneWorker laneWorker;
    private final DeliveryMetrics metrics;
    private final Clock clock;
    private final BatchBytes partBytes;
    private final Duration longestRun;
    private final Duration slowFor;

    DispatchEvents(
            PlanDeliveries plans,
            AttemptBatch attempts,
            CompleteAttempts complete,
            DeliveryStore deliveries,
            LaneStore lanes,
            LaneWorker laneWorker,
            DeliveryMetrics metrics,
            Clock clock,
            BatchBytes partBytes,
            LaneProperties laneProperties,
            WebhookProperties properties) {
        this.plans = plans;
        this.attempts = attempts;
        this.complete = complete;
        this.deliveries = deliveries;
        this.lanes = lanes;
        this.laneWorker = laneWorker;
        this.metrics = metrics;
        this.clock = clock;
        this.partBytes = partBytes;
        this.longestRun = properties.batchWindow().plus(properties.lease());
        this.slowFor = laneProperties.slowFor();
    }

    Mono<Void> dispatch(EventBatch batch, List<ReceivedEvent> received) {
        return plans.look(received)
                .flatMapMany(seen -> plans.plan(batch, received, seen)
                        .buffer(DispatcherMemoryBudget.BATCH_DELIVERIES_MAX)
                        .concatMap(planned -> attemptAndStore(batch, planned, seen), 0))
                .then();
    }

    private Mono<Void> attemptAndStore(EventBatch batch, List<Planned> planned, Seen seen) {
        if (partBytes.belowMax()) {
            logBegin(planned);
        }
        if (planned.size() < DispatcherMemoryBudget.BATCH_DELIVERIES_MAX) {
            batch.planned(planned.size(), seen.endpoints().bytes());
        }
        List<Dispatch> free = planned.stream()
                .filter(one -> one.way() == Way.ATTEMPT)
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
        BatchRows rows = new BatchRows(seen.lanes().keySet(), now(), slowFor);
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
                .then(Mono.defer(() -> laneWorker.mark(rows.marks())).retryWhen(RETRY))
                .then(Mono.defer(() -> lanes.recovered(recovered(result, seen))).retryWhen(RETRY));
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
