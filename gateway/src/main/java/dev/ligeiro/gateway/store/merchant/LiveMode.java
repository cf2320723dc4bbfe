package dev.ligeiro.gateway.store.merchant;

import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/** Live transactions can be created by the tenants and of the operations that the routing table of the rails has a route for. */
@Component
@EnableConfigurationProperties(RailProperties.class)
public final class LiveMode {

    private final RailProperties rails;

    /** @throws IllegalArgumentException if a route is for cashins, whose BR Code only the simulator can make */
    LiveMode(RailProperties rails) {
        this.rails = rails;
        for (RailProperties.Route route : rails.routes()) {
            if (route.operation() != Operation.CASHOUT) {
                throw new IllegalArgumentException("ligeiro.rails.routes: " + route.rail()
                        + " without operation: cashout (expected: cashouts only, because the gateway has no BR Codes of"
                        + " live rails)");
            }
        }
    }

    /** Whether a rail serves the live transactions of this tenant. */
    public boolean serves(Tenant tenant, Operation operation) {
        return rails.rail(tenant, operation).isPresent();
    }
}
