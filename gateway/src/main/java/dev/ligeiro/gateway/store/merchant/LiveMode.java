package dev.ligeiro.gateway.store.merchant;

import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Live transactions can be created by the tenants and of the operations that the routing table of the rails has a route for, unless an
 * operator has stopped them.
 */
@Component
@EnableConfigurationProperties(RailProperties.class)
public class LiveMode {

    private final RailProperties rails;
    private final Stops stops;

    LiveMode(RailProperties rails, Stops stops) {
        this.rails = rails;
        this.stops = stops;
    }

    /** The rail that serves new live transactions of this tenant; empty when no route matches. */
    public Optional<String> rail(Tenant tenant, Operation operation) {
        return rails.rail(tenant, operation);
    }

    /** The names of the rails that a route leads to. */
    public Set<String> rails() {
        return rails.routes().stream().map(RailProperties.Route::rail).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether an operator has stopped them. */
    public Mono<Boolean> isStopped(String rail, Operation operation) {
        return stops.isStopped(rail, operation);
    }
}
