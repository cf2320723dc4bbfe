package dev.ligeiro.gateway.store.merchant;

import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Live transactions can be created by the tenants and of the operations that the routing table of the rails has a route for, unless an
 * operator has stopped them. A stop is noticed within 5 seconds; while MongoDB does not answer, the last known ones hold.
 */
@Component
@EnableConfigurationProperties(RailProperties.class)
public class LiveMode extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(LiveMode.class);

    /** A stop may come just after a read has begun: two reads and a pause are at most 5 s. */
    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration READ_MAX = Duration.ofSeconds(2);

    private final RailProperties rails;
    private final RouteStopStore store;
    /** Null until they were read once. */
    private volatile @Nullable List<RouteStop> stops;

    LiveMode(RailProperties rails, RouteStopStore store) {
        this.rails = rails;
        this.store = store;
    }

    /** The rail that serves new live transactions of this tenant; empty when no route matches. */
    public Optional<String> rail(Tenant tenant, Operation operation) {
        return rails.rail(tenant, operation);
    }

    /** Whether a route leads to the rail. */
    public boolean hasRail(String name) {
        return rails.routes().stream().anyMatch(route -> route.rail().equals(name));
    }

    /** Whether an operator has stopped them. Asks MongoDB only if it has not told the stops since the start. */
    public Mono<Boolean> isStopped(String rail, Operation operation) {
        List<RouteStop> known = stops;
        return known == null
                ? read().map(read -> contains(read, rail, operation))
                : Mono.just(contains(known, rail, operation));
    }

    private static boolean contains(List<RouteStop> stops, String rail, Operation operation) {
        return stops.stream()
                .anyMatch(stop -> stop.operation() == operation && stop.rail().equals(rail));
    }

    /** The present stops, which hold on this gateway from now on. */
    public Mono<List<RouteStop>> read() {
        return store.all().doOnNext(read -> stops = read);
    }

    @Override
    protected Duration pause() {
        return EVERY;
    }

    @Override
    protected Mono<Void> run() {
        return rails.routes().isEmpty()
                ? Mono.empty()
                : read().timeout(READ_MAX).then();
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "route_stops_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The stopped routes could not be read; the last known ones hold, and they are read again");
    }
}
