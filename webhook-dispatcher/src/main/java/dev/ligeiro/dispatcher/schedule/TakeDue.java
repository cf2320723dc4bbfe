package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.Delivery;
import dev.ligeiro.dispatcher.delivery.DeliveryId;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Takes deliveries that are due, no more than there is room for. What belongs to an endpoint that has no room is put off instead, so
 * that it is not in the way of what is due behind it.
 */
@Component
class TakeDue {

    private final DeliveryStore deliveries;
    private final InFlight inFlight;
    private final Clock clock;
    private final Postponement postponement;
    private final Duration lease;
    private final int claimMax;

    TakeDue(
            DeliveryStore deliveries,
            InFlight inFlight,
            Clock clock,
            Postponement postponement,
            RoundProperties round,
            RetryProperties retry) {
        this.deliveries = deliveries;
        this.inFlight = inFlight;
        this.clock = clock;
        this.postponement = postponement;
        this.lease = round.lease();
        this.claimMax = retry.claimMax();
    }

    /**
     * What this process holds now.
     *
     * @param claim the one it is held by
     * @param more whether more may be due
     */
    record Taken(List<Delivery> deliveries, UUID claim, boolean more) {}

    /** Takes what is due; empty when there is no room at all. */
    Mono<Taken> take() {
        int limit = Math.min(claimMax, inFlight.room());
        Instant now = clock.instant();
        return limit == 0
                ? Mono.empty()
                : deliveries.due(now, limit).flatMap(due -> take(due, now, due.size() == limit));
    }

    private Mono<Taken> take(List<DeliveryId> due, Instant now, boolean more) {
        List<DeliveryId> full =
                due.stream().filter(id -> inFlight.full(id.endpointId())).toList();
        List<DeliveryId> free =
                due.stream().filter(id -> !inFlight.full(id.endpointId())).toList();
        UUID claim = UUID.randomUUID();
        return deliveries
                .postpone(full, postponement.end(), now)
                .then(deliveries.claim(free, claim, now.plus(lease), now))
                .map(held -> new Taken(held, claim, more));
    }
}
