package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.AttemptRound.Tally;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.Delivery;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.dispatcher.schedule.SettleDispatches;
import dev.ligeiro.dispatcher.schedule.SettleDispatches.Settled;
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

    private final SettleDispatches settle;
    private final DeliveryStore deliveries;
    private final Clock clock;
    private final Duration lease;

    StoreFirstAttempts(SettleDispatches settle, DeliveryStore deliveries, Clock clock, RoundProperties properties) {
        this.settle = settle;
        this.deliveries = deliveries;
        this.clock = clock;
        this.lease = properties.lease();
    }

    /** @param claim new and random: by it this process completes what is running */
    Mono<Void> store(Tally tally, UUID claim) {
        return settle.settle(tally.completed())
                .map(settled -> deliveries(settled, tally, claim))
                .flatMap(made -> deliveries.insert(made).retryWhen(RETRY))
                .then();
    }

    private List<Delivery> deliveries(List<Settled> settled, Tally tally, UUID claim) {
        Instant now = clock.instant();
        List<Delivery> made = new ArrayList<>();
        settled.forEach(one -> made.add(Delivery.attempted(one.dispatch(), one.verdict(), now)));
        tally.running().forEach(running -> made.add(Delivery.leased(running, claim, now.plus(lease), now)));
        tally.waiting().forEach(waiting -> made.add(Delivery.due(waiting, now)));
        return made;
    }
}
