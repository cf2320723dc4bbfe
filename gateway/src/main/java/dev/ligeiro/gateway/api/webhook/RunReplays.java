package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.Replay;
import dev.ligeiro.webhook.ReplayRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Runs replays, one step after the other, each of the replay that has waited longest: a long one does not delay the others. A step looks at up
 * to 1,000 deliveries, newest first, and schedules those of the time range again. A step whose gateway has died is repeated by another one
 * when its lease ends; it leaves the deliveries that were scheduled before, also those that have ended since.
 */
@Component
class RunReplays extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RunReplays.class);
    /** Longer than a step takes with a slow MongoDB: each of its five operations has a limit of 2.5 s. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final int LOOKED_MAX = 1_000;

    /** Between two searches for a replay when there was none, ±50 %. A search costs MongoDB about 0.2 ms. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final ReplayStore replays;
    private final RegisteredEndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final Clock clock;

    RunReplays(ReplayStore replays, RegisteredEndpointStore endpoints, DeliveryStore deliveries, Clock clock) {
        this.replays = replays;
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.clock = clock;
    }

    @Override
    protected Duration pause() {
        return jittered(PAUSE, 0.5);
    }

    @Override
    protected Mono<Void> run() {
        return Mono.defer(this::step).repeat().takeWhile(worked -> worked).then();
    }

    private Mono<Boolean> step() {
        return replays.claim(clock.instant(), LEASE)
                .flatMap(claimed -> step(claimed).thenReturn(true))
                .defaultIfEmpty(false);
    }

    /** A defect would fail each further try, and the endpoint could have no other replay: it ends this one. */
    private Mono<Void> step(Document claimed) {
        return Mono.defer(() -> step(replays.read(claimed), clock.instant()))
                .flatMap(after -> replays.save(after, clock.instant()))
                .onErrorResume(failure -> !Problems.isUnavailable(failure), defect -> fail(claimed, defect));
    }

    private Mono<Void> fail(Document claimed, Throwable defect) {
        UUID id = claimed.get("_id", UUID.class);
        Tenant tenant = claimed.get("tenant") instanceof Long key ? new Tenant(key) : null;
        LoggedMerchant.add(LOG.atError().setCause(defect).addKeyValue("event.action", "replay_ended"), tenant)
                .addKeyValue("replay_id", id)
                .log("A replay of webhooks has ended because of a bug or damaged data");
        return replays.fail(id, clock.instant());
    }

    /** The replay after the step. It is canceled if its endpoint is disabled or deleted. */
    private Mono<Replay> step(Replay replay, Instant now) {
        return endpoints
                .find(new Tenant(replay.tenant()), replay.endpoint())
                .filter(endpoint -> endpoint.status().isEnabled())
                .flatMap(endpoint -> deliveries.after(
                        DeliveryId.of(replay.position()), replay.request().status(), LOOKED_MAX))
                .flatMap(found -> schedule(replay, found, now)
                        .map(scheduled -> replay.after(found.size(), scheduled, next(found))))
                .defaultIfEmpty(replay.canceled());
    }

    private static @Nullable DeliveryId next(List<DeliveryStore.Row> found) {
        return found.size() < LOOKED_MAX ? null : found.get(found.size() - 1).id();
    }

    /**
     * Whether the replay sends the delivery again. A test event is no event that the endpoint has missed, and its payload is not kept; the
     * merchant sends another one.
     */
    private static boolean isSelected(ReplayRequest request, StoredDelivery delivery) {
        return request.includes(delivery.eventAt())
                && request.status().statuses().contains(delivery.status())
                && !delivery.eventType().equals(TestEvent.TYPE);
    }

    /**
     * Marks the lane in each step: a gateway may have died after it scheduled deliveries and before it marked the lane. Only the first
     * step ends the open time of the circuit breaker: an endpoint that still fails must not get an attempt per step.
     */
    private Mono<Long> schedule(Replay replay, List<DeliveryStore.Row> found, Instant now) {
        // a delivery that cannot be decoded is left out
        List<DeliveryId> ids = found.stream()
                .map(DeliveryStore.Row::delivery)
                .flatMap(Stream::ofNullable)
                .filter(delivery -> isSelected(replay.request(), delivery))
                .map(StoredDelivery::id)
                .toList();
        Set<String> statuses = replay.request().status().statuses();
        Mono<Long> scheduled = ids.isEmpty() ? Mono.just(0L) : deliveries.scheduleAll(ids, statuses, replay.id(), now);
        return scheduled.flatMap(count -> mark(replay, now).thenReturn(count));
    }

    private Mono<Void> mark(Replay replay, Instant now) {
        Tenant tenant = new Tenant(replay.tenant());
        return endpoints.markLane(
                replay.endpoint(),
                replay.looked() == 0 ? LaneUpdates.dueNow(tenant, now) : LaneUpdates.dueAt(tenant, now),
                true);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "replay_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("A step of a replay of webhooks failed; it is repeated when its lease ends");
    }
}
