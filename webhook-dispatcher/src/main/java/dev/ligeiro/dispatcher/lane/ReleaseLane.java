package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.webhook.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Ends the work of this process on a lane, and decides when the lane is due again. */
@Component
class ReleaseLane {

    private final DeliveryStore deliveries;
    private final LaneStore lanes;
    private final DeliveryMetrics metrics;
    private final Duration failingKept;

    ReleaseLane(DeliveryStore deliveries, LaneStore lanes, DeliveryMetrics metrics, LaneProperties properties) {
        this.deliveries = deliveries;
        this.lanes = lanes;
        this.metrics = metrics;
        this.failingKept = properties.disableAfter().multipliedBy(2);
    }

    /** The end of the work on a lane. */
    enum End {
        RELEASED,
        /** A delivery is due. */
        MORE_DUE,
        /** The lane was marked since, or another process has claimed it. */
        CHANGED
    }

    void countLost() {
        metrics.countLostLeases(1);
    }

    /** The lane, or empty if another process has claimed it, or it is gone. */
    Mono<Lane> current(UUID claim, UUID endpointId) {
        return lanes.claimed(claim, Set.of(endpointId)).mapNotNull(found -> found.get(endpointId));
    }

    /**
     * Ends the work on {@code lane}, which has the health and marks that its owner knows. It is due again with its next delivery, but
     * not before its breaker allows an attempt.
     *
     * <p>No delivery is missed. The read of the next attempt may not show a delivery that is being stored, but the writer of that delivery
     * marks the lane afterwards. If the mark comes before the release, the release does nothing. If it comes after the release, it makes the
     * lane due, and creates it if it was deleted.
     */
    Mono<End> end(Lane lane, UUID claim, Instant now) {
        return deliveries
                .nextAttempt(lane.endpointId())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(next -> end(lane, claim, now, next.orElse(null)));
    }

    private Mono<End> end(Lane lane, UUID claim, Instant now, @Nullable Instant next) {
        Instant dueAt = dueAt(lane, now, next);
        if (next != null && dueAt != null && !dueAt.isAfter(now)) {
            return Mono.just(End.MORE_DUE);
        }
        return release(lane, claim, dueAt);
    }

    /** Ends the work on {@code lane} at once; another process may take it over. */
    Mono<End> handOver(Lane lane, UUID claim, Instant now) {
        return release(lane, claim, now);
    }

    private Mono<End> release(Lane lane, UUID claim, @Nullable Instant dueAt) {
        return lanes.release(lane.endpointId(), claim, lane.marks(), dueAt, lane.health())
                .map(done -> done ? End.RELEASED : End.CHANGED);
    }

    /**
     * When the lane is due. Without a scheduled delivery it is kept as long as its history matters, then deleted: null. A failing
     * endpoint is remembered beyond the time after which its next failure disables it.
     */
    private @Nullable Instant dueAt(Lane lane, Instant now, @Nullable Instant next) {
        Instant openUntil = lane.health().openUntil();
        if (next != null) {
            return openUntil != null && openUntil.isAfter(next) ? openUntil : next;
        }
        Instant failingSince = lane.health().failingSince();
        Instant keptUntil = failingSince == null ? lane.slowUntil() : failingSince.plus(failingKept);
        return keptUntil != null && keptUntil.isAfter(now) ? keptUntil : null;
    }
}
