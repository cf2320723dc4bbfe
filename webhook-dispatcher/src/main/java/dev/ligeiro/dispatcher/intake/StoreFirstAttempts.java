package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.schedule.EvaluateAttempts;
import dev.ligeiro.dispatcher.schedule.EvaluateAttempts.EvaluatedAttempt;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Inserts the deliveries of a round: completed ones with their new state, running ones leased to this process, those that could not
 * start as due now.
 */
@Component
class StoreFirstAttempts {

    /** Retries during a short outage of MongoDB (about 35 s), because redelivery of the batch by Kafka would repeat its attempts. */
    private static final Retry RETRY = Retry.backoff(20, Duration.ofMillis(100)).maxBackoff(Duration.ofSeconds(2));

    private final EvaluateAttempts evaluateAttempts;
    private final DeliveryStore deliveries;
    private final Clock clock;
    private final Duration lease;

    StoreFirstAttempts(
            EvaluateAttempts evaluateAttempts, DeliveryStore deliveries, Clock clock, RoundProperties properties) {
        this.evaluateAttempts = evaluateAttempts;
        this.deliveries = deliveries;
        this.clock = clock;
        this.lease = properties.lease();
    }

    /** @param claim a new random token, with which this process completes the running deliveries */
    Mono<Void> store(RoundResult result, UUID claim) {
        return evaluateAttempts
                .evaluate(result.completed())
                .map(evaluated -> deliveries(evaluated, result, claim))
                .flatMap(created -> deliveries.insert(created).retryWhen(RETRY))
                .then();
    }

    private List<Delivery> deliveries(List<EvaluatedAttempt> evaluated, RoundResult result, UUID claim) {
        Instant now = clock.instant();
        List<Delivery> created = new ArrayList<>();
        evaluated.forEach(one -> created.add(attempted(one, now)));
        result.running().forEach(running -> created.add(leased(running, claim, now.plus(lease))));
        result.notStarted().forEach(notStarted -> created.add(due(notStarted, now)));
        return created;
    }

    /** It keeps the payload only if another attempt is scheduled. */
    private static Delivery attempted(EvaluatedAttempt evaluated, Instant now) {
        PendingDispatch dispatch = evaluated.dispatch().dispatch();
        List<Attempt> attempts = List.of(evaluated.dispatch().attempt());
        DeliveryStatus status = evaluated.state().status();
        return status == DeliveryStatus.SCHEDULED
                ? scheduled(dispatch, attempts, evaluated.state().nextAttemptAt(), null)
                : Delivery.ended(dispatch.id(), dispatch.eventType(), dispatch.eventAt(), status, attempts, now);
    }

    /** A delivery whose first attempt is running in this process. Other processes may claim it after {@code leaseEnd}. */
    private static Delivery leased(PendingDispatch dispatch, UUID claim, Instant leaseEnd) {
        return scheduled(dispatch, List.of(), leaseEnd, claim);
    }

    private static Delivery due(PendingDispatch dispatch, Instant now) {
        return scheduled(dispatch, List.of(), now, null);
    }

    private static Delivery scheduled(
            PendingDispatch dispatch, List<Attempt> attempts, @Nullable Instant at, @Nullable UUID claim) {
        return new Delivery(
                dispatch.id(),
                dispatch.eventType(),
                dispatch.eventAt(),
                DeliveryStatus.SCHEDULED,
                attempts,
                at,
                null,
                claim,
                dispatch.body());
    }
}
