package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.StoreAttempts;
import dev.ligeiro.dispatcher.intake.PlanDeliveries.Seen;
import dev.ligeiro.dispatcher.lane.IntakeLanes;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Stores the deliveries of a round, then marks the lanes of those that need another attempt. This order, and marking the lanes of
 * deliveries that were already stored, keep a crash between the two writes from losing a lane: Kafka delivers the batch again.
 */
@Component
class StoreRound {

    /** Retries during a short outage of MongoDB (about 35 s), because the next try of the batch forgets the results of its attempts. */
    private static final Retry RETRY = Retry.backoff(20, Duration.ofMillis(100))
            .maxBackoff(Duration.ofSeconds(2))
            .filter(fault -> MongoFaults.classified(fault) instanceof TransientFault)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final CompleteAttempts complete;
    private final StoreAttempts results;
    private final DeliveryStore deliveries;
    private final IntakeLanes lanes;
    private final DeliveryMetrics metrics;
    private final Clock clock;

    StoreRound(
            CompleteAttempts complete,
            StoreAttempts results,
            DeliveryStore deliveries,
            IntakeLanes lanes,
            DeliveryMetrics metrics,
            Clock clock) {
        this.complete = complete;
        this.results = results;
        this.deliveries = deliveries;
        this.lanes = lanes;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * @param dueAt when a lane may attempt the deliveries that are only stored
     * @param leaseEnd when another process may repeat the attempts that are still running
     */
    Mono<Void> store(List<Planned> planned, Instant dueAt, RoundResult result, Instant leaseEnd, Seen seen) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        RoundRows rows = new RoundRows(lanes, seen.lanes().keySet());
        for (Completed completed : result.completed()) {
            rows.attempted(completed, complete.complete(completed));
        }
        result.running().forEach(dispatch -> rows.running(dispatch, leaseEnd));
        result.notStarted().forEach(dispatch -> rows.notStarted(dispatch, now));
        for (Planned one : planned) {
            switch (one.way()) {
                case STORE -> rows.due(one.dispatch(), dueAt);
                case FEED -> rows.feed(one.dispatch(), now);
                case CANCEL -> rows.canceled(one.dispatch(), now);
                case ATTEMPT -> {}
            }
        }
        metrics.count(DeliveryStatus.CANCELED, rows.canceled());
        return deliveries
                .insert(rows.deliveries())
                .retryWhen(RETRY)
                .doOnNext(stored -> stored.forEach(delivery -> rows.alreadyStored(delivery, now)))
                .then(Mono.defer(() -> lanes.mark(rows.marks())).retryWhen(RETRY))
                .then(Mono.defer(() -> lanes.recovered(recovered(result, seen))).retryWhen(RETRY));
    }

    /** The endpoints with a success whose lanes have counted failures. */
    private static Set<UUID> recovered(RoundResult result, Seen seen) {
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

    /** Stores the result of an attempt that has outlasted its round. */
    void late(Completed completed, Instant leaseEnd) {
        Dispatch stored = completed.dispatch().stored(leaseEnd);
        Completed late = new Completed(stored, completed.attempt(), completed.retryAfter()).withoutPayload();
        results.store(late, delivery -> markLate(late, delivery));
    }

    /** If this fails, the lane is due at the end of the lease. */
    private void markLate(Completed late, Delivery delivery) {
        if (delivery.nextAttemptAt() != null) {
            lanes.mark(List.of(lanes.failed(late, delivery.nextAttemptAt())))
                    .retryWhen(RETRY)
                    .subscribe(marked -> {}, notMarked -> {});
        }
    }
}
