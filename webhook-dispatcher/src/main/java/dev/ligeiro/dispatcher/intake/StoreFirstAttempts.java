package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.Delivery;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.dispatcher.schedule.EvaluateAttempts;
import dev.ligeiro.dispatcher.schedule.EvaluateAttempts.EvaluatedAttempt;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Stores a round's first attempts, each delivery by one insert: finished ones as such, running ones leased to this process, those
 * that found no room as due at once.
 */
@Component
class StoreFirstAttempts {

    /** A short outage of MongoDB is waited for here: giving the batch back to Kafka would repeat its attempts. */
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

    /** @param claim new and random: by it this process completes what is running */
    Mono<Void> store(RoundResult result, UUID claim) {
        return evaluateAttempts
                .evaluate(result.completed())
                .map(evaluated -> deliveries(evaluated, result, claim))
                .flatMap(made -> deliveries.insert(made).retryWhen(RETRY))
                .then();
    }

    private List<Delivery> deliveries(List<EvaluatedAttempt> evaluated, RoundResult result, UUID claim) {
        Instant now = clock.instant();
        List<Delivery> made = new ArrayList<>();
        evaluated.forEach(one -> made.add(Delivery.attempted(one.dispatch(), one.state(), now)));
        result.running().forEach(running -> made.add(Delivery.leased(running, claim, now.plus(lease), now)));
        result.notStarted().forEach(waiting -> made.add(Delivery.due(waiting, now)));
        return made;
    }
}
