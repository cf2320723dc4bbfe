package dev.ligeiro.support;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The routing table of live transactions; without a route, live mode is closed. The gateway's {@code application.yml} explains each
 * key.
 *
 * @param routes the first one that matches a transaction names its rail
 */
@ConfigurationProperties("ligeiro.rails")
@Validated
public record RailProperties(@DefaultValue List<@Valid Route> routes) {

    /** The rail of all test transactions. It never sees a live one, since it moves no money. */
    public static final String SIMULATOR = "simulator";

    public RailProperties {
        if (routes.stream().anyMatch(route -> SIMULATOR.equals(route.rail()))) {
            throw new IllegalArgumentException(
                    "ligeiro.rails.routes: simulator (expected: a rail that moves money; routes are for live transactions)");
        }
    }

    /** The name of the rail for new transactions of the tenant: the simulator in test mode; empty when no route matches. */
    public Optional<String> rail(Tenant tenant, Operation operation) {
        if (tenant.mode() == Mode.TEST) {
            return Optional.of(SIMULATOR);
        }
        return routes.stream()
                .filter(route -> route.matches(tenant, operation))
                .findFirst()
                .map(Route::rail);
    }

    /**
     * @param operation null for both
     * @param tenant the key of a tenant; null for all
     */
    public record Route(@NotBlank String rail, @Nullable Operation operation, @Nullable Long tenant) {

        boolean matches(Tenant other, Operation ofTransaction) {
            return (operation == null || operation == ofTransaction) && (tenant == null || tenant == other.key());
        }
    }
}
