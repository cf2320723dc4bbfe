package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.DeliveryStore.NextAttempt;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.observe.KnownGauge;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Checks the lanes of all endpoints at an interval, in one dispatcher at a time. It finds due deliveries whose lane is missing, for example
 * because a gateway died between its two writes, and creates the lane: one seek in the index per endpoint with scheduled deliveries.
 *
 * <p>It also measures the backlog. The gauges are absent while MongoDB is unavailable. The age of the oldest due delivery is known to the
 * dispatcher with the lease only; all dispatchers report the other numbers, which are the same. Together with the consumer lag they tell how
 * many dispatchers are needed.
 */
@Component
class SweepLanes implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(SweepLanes.class);
    private static final int GROUP = 200;
    private static final int DUE_MAX = 10_000;
    /** The lease outlasts a late sweep. After a crash another dispatcher sweeps when it has ended. */
    private static final int INTERVALS_PER_LEASE = 2;

    private static final double MILLIS_PER_SECOND = 1_000;
    /** Between the writes of a delivery and of its lane, the lane is missing for a moment. */
    private static final Duration OVERDUE_MIN = Duration.ofSeconds(1);

    /** A deleted endpoint has no tenant; its deliveries are only canceled. */
    private static final Tenant NOBODY = new Tenant(0);

    private final DeliveryStore deliveries;
    private final LaneStore lanes;
    private final LeaseStore.Lease lease;
    private final EndpointStore endpoints;
    private final Clock clock;
    private final KnownGauge due;
    private final KnownGauge oldest;
    private final KnownGauge laneStates;
    private final KnownGauge failingLongest;
    private final Duration interval;
    private final Disposable sweeping;

    SweepLanes(
            DeliveryStore deliveries,
            LaneStore lanes,
            LeaseStore leases,
            EndpointStore endpoints,
            MeterRegistry metrics,
            Clock clock,
            LaneProperties properties) {
        this.deliveries = deliveries;
        this.lanes = lanes;
        this.lease = leases.of("lanes");
        this.endpoints = endpoints;
        this.clock = clock;
        this.due =
                new KnownGauge(metrics, "ligeiro.webhook.due", "Deliveries that are due, counted up to 10,000", null);
        this.oldest = new KnownGauge(
                metrics,
                "ligeiro.webhook.due.oldest",
                "Time since the earliest due time of a delivery, by the circuit breaker of its endpoint",
                "seconds");
        this.laneStates = new KnownGauge(
                metrics, "ligeiro.webhook.lanes", "Lanes by state: due, with an open circuit breaker, all", null);
        this.failingLongest = new KnownGauge(
                metrics,
                "ligeiro.webhook.failing.longest",
                "Time since the first failure of the endpoint that has failed for longest, 0 if none fails",
                "seconds");
        this.interval = properties.sweepInterval();
        this.sweeping = Flux.interval(interval.dividedBy(10), interval)
                .onBackpressureDrop()
                .concatMap(tick -> sweep(), 1)
                .subscribe();
    }

    /**
     * The earliest due times of overdue deliveries; {@link Instant#MAX} stands for none.
     *
     * @param closed of the endpoints whose circuit breaker has not opened since their last success
     * @param opened of the other endpoints: their deliveries wait because the endpoints fail
     */
    private record Oldest(Instant closed, Instant opened) {

        private static final Oldest NONE = new Oldest(Instant.MAX, Instant.MAX);

        private Oldest and(Oldest other) {
            return new Oldest(earlier(closed, other.closed), earlier(opened, other.opened));
        }

        private static Instant earlier(Instant one, Instant other) {
            return one.isBefore(other) ? one : other;
        }
    }

    private Mono<Void> sweep() {
        Instant now = clock.instant();
        Mono<Optional<Oldest>> overdue = lease.take(now, interval.multipliedBy(INTERVALS_PER_LEASE))
                .flatMap(held -> held ? visitEndpoints().map(Optional::of) : Mono.just(Optional.empty()));
        return Mono.zip(overdue, deliveries.countDue(now, DUE_MAX), lanes.counts(now))
                .doOnNext(found -> measured(found.getT1().orElse(null), found.getT2(), found.getT3(), now))
                .doOnError(unavailable -> unknown())
                .onErrorComplete()
                .then();
    }

    private Mono<Oldest> visitEndpoints() {
        return deliveries
                .endpointAfter(null)
                .expand(next -> deliveries.endpointAfter(next.endpointId()))
                .buffer(GROUP)
                .concatMap(this::repair, 1)
                .reduce(Oldest.NONE, Oldest::and);
    }

    /** Only overdue deliveries count: the others wait for their time, or are being stored. */
    private Mono<Oldest> repair(List<NextAttempt> found) {
        Instant now = clock.instant();
        Instant overdue = now.minus(OVERDUE_MIN);
        List<NextAttempt> late =
                found.stream().filter(next -> next.at().isBefore(overdue)).toList();
        List<UUID> ids = late.stream().map(NextAttempt::endpointId).toList();
        return ids.isEmpty()
                ? Mono.just(Oldest.NONE)
                : lanes.looked(ids, now).flatMap(looked -> mark(late, looked.dueOrOpen(), now)
                        .thenReturn(oldest(late, looked.opened())));
    }

    private static Oldest oldest(List<NextAttempt> late, Set<UUID> opened) {
        return late.stream()
                .map(next -> opened.contains(next.endpointId())
                        ? new Oldest(Instant.MAX, next.at())
                        : new Oldest(next.at(), Instant.MAX))
                .reduce(Oldest.NONE, Oldest::and);
    }

    /** A missing lane is created; one that is due later than its deliveries is due now. */
    private Mono<Void> mark(List<NextAttempt> found, Set<UUID> looked, Instant now) {
        return Flux.fromIterable(found)
                .filter(next -> !looked.contains(next.endpointId()))
                .concatMap(next -> endpoints
                        .tenant(next.endpointId())
                        .defaultIfEmpty(NOBODY)
                        .map(tenant -> LaneMark.due(next.endpointId(), tenant, next.at())))
                .collectList()
                .doOnNext(SweepLanes::log)
                .flatMap(missing -> lanes.mark(missing, now));
    }

    private static void log(List<LaneMark> missing) {
        if (!missing.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("event.action", "lanes_repaired")
                    .addKeyValue("count", missing.size())
                    .log("Endpoints had due deliveries but no scheduled check; scheduled now");
        }
    }

    private void measured(@Nullable Oldest overdue, long dueDeliveries, LaneStore.Counts counts, Instant now) {
        if (overdue == null) {
            oldest.unknown();
        } else {
            oldest.known(Map.of(
                    Tags.of("breaker", "closed"), seconds(overdue.closed(), now),
                    Tags.of("breaker", "opened"), seconds(overdue.opened(), now)));
        }
        due.known(dueDeliveries);
        laneStates.known(Map.of(
                Tags.of("state", "due"), (double) counts.due(),
                Tags.of("state", "open"), (double) counts.open(),
                Tags.of("state", "all"), (double) counts.all()));
        failingLongest.known(seconds(counts.failingSince(), now));
    }

    private void unknown() {
        oldest.unknown();
        due.unknown();
        laneStates.unknown();
        failingLongest.unknown();
    }

    private static double seconds(Instant since, Instant now) {
        return since.isAfter(now) ? 0 : Duration.between(since, now).toMillis() / MILLIS_PER_SECOND;
    }

    @Override
    public void destroy() {
        sweeping.dispose();
    }
}
