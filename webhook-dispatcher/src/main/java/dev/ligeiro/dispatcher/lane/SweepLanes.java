package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.DeliveryStore.NextAttempt;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.lane.BacklogStore.LateLane;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds due deliveries whose lane is missing, for example because a gateway died between its two writes, and creates the lane.
 * One seek in the index per endpoint with scheduled deliveries. It also measures the backlog.
 */
@Component
class SweepLanes implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(SweepLanes.class);
    private static final int GROUP = 200;
    private static final int DUE_MAX = 10_000;
    /** Between the writes of a delivery and of its lane, the lane is missing for a moment. */
    private static final Duration OVERDUE_MIN = Duration.ofSeconds(1);

    /** A deleted endpoint has no tenant; its deliveries are only canceled. */
    private static final Tenant NOBODY = new Tenant(0);

    private final DeliveryStore deliveries;
    private final BacklogStore lanes;
    private final EndpointStore endpoints;
    private final BacklogMetrics metrics;
    private final Clock clock;
    private final Disposable sweeping;

    SweepLanes(
            DeliveryStore deliveries,
            BacklogStore lanes,
            EndpointStore endpoints,
            BacklogMetrics metrics,
            Clock clock,
            BacklogProperties properties) {
        this.deliveries = deliveries;
        this.lanes = lanes;
        this.endpoints = endpoints;
        this.metrics = metrics;
        this.clock = clock;
        Duration interval = properties.sweepInterval();
        this.sweeping = Flux.interval(interval.dividedBy(10), interval)
                .onBackpressureDrop()
                .concatMap(tick -> sweep(), 1)
                .subscribe();
    }

    private Mono<Void> sweep() {
        Instant now = clock.instant();
        Mono<OldestDue> oldest = deliveries
                .endpointAfter(null)
                .expand(next -> deliveries.endpointAfter(next.endpointId()))
                .buffer(GROUP)
                .concatMap(this::repair, 1)
                .reduce(OldestDue.NONE, OldestDue::and);
        return Mono.zip(oldest, deliveries.countDue(now, DUE_MAX), lanes.counts(now))
                .doOnNext(found -> metrics.measured(found.getT1(), found.getT2(), found.getT3(), now))
                .doOnError(unavailable -> metrics.unknown())
                .onErrorComplete()
                .then();
    }

    /** Only overdue deliveries count: the others wait for their time, or are being stored. */
    private Mono<OldestDue> repair(List<NextAttempt> found) {
        Instant overdue = clock.instant().minus(OVERDUE_MIN);
        List<NextAttempt> late =
                found.stream().filter(next -> next.at().isBefore(overdue)).toList();
        List<UUID> ids = late.stream().map(NextAttempt::endpointId).toList();
        return ids.isEmpty()
                ? Mono.just(OldestDue.NONE)
                : lanes.looked(ids, clock.instant())
                        .flatMap(looked -> mark(late, looked.dueOrOpen()).thenReturn(oldest(late, looked.opened())));
    }

    private static OldestDue oldest(List<NextAttempt> late, Set<UUID> opened) {
        OldestDue oldest = OldestDue.NONE;
        for (NextAttempt next : late) {
            oldest = oldest.and(next.at(), opened.contains(next.endpointId()));
        }
        return oldest;
    }

    /** A missing lane is created; one that is due later than its deliveries is due now. */
    private Mono<Void> mark(List<NextAttempt> found, Set<UUID> looked) {
        return Flux.fromIterable(found)
                .filter(next -> !looked.contains(next.endpointId()))
                .concatMap(next -> endpoints
                        .tenant(next.endpointId())
                        .defaultIfEmpty(NOBODY)
                        .map(tenant -> new LateLane(next.endpointId(), tenant, next.at())))
                .collectList()
                .doOnNext(SweepLanes::log)
                .flatMap(missing -> lanes.mark(missing));
    }

    private static void log(List<LateLane> missing) {
        if (!missing.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("event.action", "lanes_repaired")
                    .addKeyValue("count", missing.size())
                    .log("Marked the lanes of due deliveries that no lane was due for");
        }
    }

    @Override
    public void destroy() {
        sweeping.dispose();
    }
}
