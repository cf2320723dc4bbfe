package dev.ligeiro.processor.rail;

import dev.ligeiro.support.rail.RailProperties;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/**
 * Finds the rail of a transaction. A test transaction always goes to the simulator, a live one to the rail that the routing table names
 * for its tenant and operation.
 */
@Component
@EnableConfigurationProperties(RailProperties.class)
public class RailRoutes {

    private final Map<String, PaymentRail> byName;
    private final RailProperties properties;

    RailRoutes(Collection<PaymentRail> rails, RailProperties properties) {
        this.byName =
                rails.stream().collect(Collectors.toMap(rail -> rail.facts().name(), Function.identity()));
        this.properties = properties;
        properties.routes().stream()
                .map(RailProperties.Route::rail)
                .filter(rail -> !byName.containsKey(rail))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new IllegalArgumentException(
                            "ligeiro.rails.routes: " + unknown + " (expected: " + live() + ")");
                });
    }

    private String live() {
        String names = byName.keySet().stream()
                .filter(name -> !name.equals(RailProperties.SIMULATOR))
                .sorted()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "no routes, because this processor has only the simulator" : names;
    }

    /** The rail of {@code transaction}; empty when no route leads to one. */
    public Optional<PaymentRail> find(Transaction transaction) {
        return name(transaction.tenant(), transaction.operation()).map(byName::get);
    }

    /** The name of the rail for transactions of the tenant; empty when no route leads to one. */
    public Optional<String> name(Tenant tenant, Operation operation) {
        return tenant.mode() == Mode.TEST ? Optional.of(RailProperties.SIMULATOR) : properties.rail(tenant, operation);
    }

    /** The names of all rails that this processor has. */
    public Set<String> names() {
        return byName.keySet();
    }
}
