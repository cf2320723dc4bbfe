package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.AttemptDelivery;
import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The reads, writes and attempts of the lanes that this process has claimed: what is due, what gets no attempt, the attempt of a delivery,
 * and the end of the work on a lane. {@link LaneRun} decides what is next.
 */
@Component
class LaneWork {

    /** A canceled delivery costs MongoDB about 0.1 ms. */
    private static final int CANCEL_MAX = 1000;

    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final NumberFeed numbers;
    private final AttemptDelivery attempts;
    private final CompleteAttempts complete;
    private final InFlight inFlight;
    private final LaneStore lanes;
    private final DeliveryMetrics metrics;
    private final Duration failingKept;

    LaneWork(
            EndpointStore endpoints,
            DeliveryStore deliveries,
            NumberFeed numbers,
            AttemptDelivery attempts,
            CompleteAttempts complete,
            InFlight inFlight,
            LaneStore lanes,
            DeliveryMetrics metrics,
            LaneProperties properties) {
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.numbers = numbers;
        this.attempts = attempts;
        this.complete = complete;
        this.inFlight = inFlight;
        this.lanes = lanes;
        this.metrics = metrics;
        this.failingKept = properties.disableAfter().multipliedBy(2);
    }

    /** What a due check of a lane has found or done. Each but {@code Wait} tells whether more may be due. */
    sealed interface DueCheck {

        /** These deliveries are due. */
        record Attempt(List<Dispatch> due, boolean more) implements DueCheck {}

        /** The endpoint is a feed: some of its due deliveries were given numbers. */
        record Numbered(boolean more) implements DueCheck {}

        /** The endpoint was deleted or disabled: some of its deliveries were canceled. */
        record Canceled(boolean more) implements DueCheck {}

        /** The endpoint cannot be decoded: its deliveries wait until a process can. */
        record Wait() implements DueCheck {}
    }

    /**
     * Reads the endpoint of a lane, whose URL or secret may have changed, and its due deliveries; numbers or cancels those that need no
     * attempt.
     *
     * @param limit of the deliveries to read for attempts
     */
    Mono<DueCheck> check(UUID endpointId, Instant now, int limit) {
        return endpoints
                .find(endpointId)
                .flatMap(found -> found.map(endpoint -> check(endpoint, now, limit))
                        .orElseGet(() -> Mono.just(new DueCheck.Wait())))
                .switchIfEmpty(Mono.defer(() -> cancelSome(endpointId, now)));
    }

    private Mono<DueCheck> check(WebhookEndpoint endpoint, Instant now, int limit) {
        if (!endpoint.status().isEnabled()) {
            return cancelSome(endpoint.id(), now);
        }
        return endpoint.isFeed()
                ? numbers.number(endpoint.id(), now).map(DueCheck.Numbered::new)
                : deliveries.due(endpoint, now, limit).map(due -> new DueCheck.Attempt(due, due.size() == limit));
    }

    private Mono<DueCheck> cancelSome(UUID endpointId, Instant now) {
        return deliveries.cancel(endpointId, CANCEL_MAX, now).map(count -> {
            metrics.count(DeliveryStatus.CANCELED, count);
            return new DueCheck.Canceled(count > 0);
        });
    }

    /**
     * Makes the attempt of a due delivery and stores its result; false if a limit of {@link InFlight} is reached.
     *
     * @param startBefore after this time no request may be sent, because it may outlast the lease of the lane
     * @param run is told, on any thread, when the attempt has ended or could not start, and when its result is stored or dropped
     */
    boolean tryAttempt(Dispatch due, Instant startBefore, LaneRun run) {
        if (!inFlight.tryAcquireForLane(due.endpoint())) {
            return false;
        }
        attempts.attemptStored(due, startBefore)
                .doOnTerminate(() -> inFlight.releaseOfLane(due.endpoint()))
                .subscribe(
                        completed -> {
                            run.attempted(completed);
                            complete.store(completed, stored -> run.written(stored.id()));
                        },
                        reason -> run.notStarted(due.id(), reason));
        return true;
    }

    /** The lane as it is stored; empty if another process has claimed it, or it is gone. */
    Mono<Optional<Lane>> stored(UUID claim, UUID endpointId) {
        return lanes.claimed(claim, Set.of(endpointId)).map(found -> Optional.ofNullable(found.get(endpointId)));
    }

    /** The end of the work on a lane. */
    enum End {
        RELEASED,
        /** A delivery is due. */
        MORE_DUE,
        /** The lane was marked since, or another process has claimed it. */
        CHANGED
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
