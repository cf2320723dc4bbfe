package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Claims due deliveries, at most as many as may start now. Deliveries of an endpoint at its limit are postponed, so that they do not
 * block the later ones of other endpoints.
 */
@Component
class ClaimDue {

    private final DeliveryStore deliveries;
    private final InFlight inFlight;
    private final Clock clock;
    private final Postponement postponement;
    private final Duration lease;
    private final int claimMax;

    ClaimDue(
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
     * Deliveries that this process has claimed.
     *
     * @param claim the token with which they were claimed
     * @param more whether more deliveries may be due
     */
    record Claimed(List<Delivery> deliveries, UUID claim, boolean more) {}

    /** Claims due deliveries; empty if the total limit of running attempts is reached. */
    Mono<Claimed> claim() {
        int limit = Math.min(claimMax, inFlight.available());
        Instant now = clock.instant();
        return limit == 0
                ? Mono.empty()
                : deliveries.due(now, limit).flatMap(due -> claim(due, now, due.size() == limit));
    }

    private Mono<Claimed> claim(List<DeliveryId> due, Instant now, boolean more) {
        List<DeliveryId> full =
                due.stream().filter(id -> inFlight.isFull(id.endpointId())).toList();
        List<DeliveryId> free =
                due.stream().filter(id -> !inFlight.isFull(id.endpointId())).toList();
        UUID claim = UUID.randomUUID();
        return deliveries
                .postpone(full, postponement.end(), now)
                .then(deliveries.claim(free, claim, now.plus(lease), now))
                .map(claimed -> new Claimed(claimed, claim, more));
    }
}
