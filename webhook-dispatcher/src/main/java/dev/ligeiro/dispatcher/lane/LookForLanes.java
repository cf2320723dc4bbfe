package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.webhook.Lane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * One look at the lanes: prolongs the leases of claimed ones, applies their stored state and the changes of their endpoints, and claims
 * further ones. If it holds as many as it may and others wait, it hands one over.
 */
@Component
class LookForLanes {

    private static final int RENEWALS_PER_LEASE = 3;

    private final LaneStore lanes;
    private final EndpointStore endpoints;
    private final ClaimedLanes claimed;
    private final Clock clock;
    private final Duration lease;
    private final int claimedMax;
    private volatile Instant renewedAt = Instant.EPOCH;

    LookForLanes(
            LaneStore lanes,
            EndpointStore endpoints,
            ClaimedLanes claimed,
            Clock clock,
            LaneProperties properties,
            RoundProperties round) {
        this.lanes = lanes;
        this.endpoints = endpoints;
        this.claimed = claimed;
        this.clock = clock;
        this.lease = round.lease();
        this.claimedMax = properties.claimedMax();
    }

    /** Gives whether more lanes may be due than were claimed. */
    Mono<Boolean> look() {
        return claimed.lanes().flatMap(own -> refresh(own).then(Mono.defer(() -> claim(own.keySet()))));
    }

    private Mono<Void> refresh(Map<UUID, Lane> own) {
        if (own.isEmpty()) {
            return Mono.empty();
        }
        Set<UUID> ids = own.keySet();
        return renew(own)
                .then(Mono.zip(lanes.claimed(claimed.claim(), ids), endpoints.versions(ids)))
                .doOnNext(read -> claimed.refresh(ids, read.getT1(), read.getT2()))
                .then();
    }

    private Mono<Void> renew(Map<UUID, Lane> own) {
        Instant now = clock.instant();
        // also if the clock was set back
        if (Duration.between(renewedAt, now).abs().compareTo(lease.dividedBy(RENEWALS_PER_LEASE)) < 0) {
            return Mono.empty();
        }
        return lanes.renew(claimed.claim(), own.values(), now, now.plus(lease)).doOnSuccess(done -> renewedAt = now);
    }

    /**
     * Claims none of {@code own}: one that another process has taken over may be due again while attempts of its work here still run. That
     * work would end, and with it the claim.
     */
    private Mono<Boolean> claim(Set<UUID> own) {
        int max = claimedMax - own.size();
        Instant now = clock.instant();
        return max <= 0
                ? handOver(own, now).thenReturn(false)
                : lanes.claim(claimed.claim(), own, now, now.plus(lease), max).map(found -> added(found, max));
    }

    private Mono<Void> handOver(Set<UUID> own, Instant now) {
        return lanes.anyToClaim(own, now)
                .filter(waiting -> waiting)
                .doOnNext(waiting -> claimed.handOverOne())
                .then();
    }

    private boolean added(List<Lane> found, int max) {
        claimed.add(found);
        return found.size() == max;
    }
}
