package dev.ligeiro.processor.rail;

import dev.ligeiro.support.RailProperties;
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
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/**
 * Finds the rail of a transaction. A test transaction always goes to the simulator, a live one never. A live transaction goes to the rail
 * whose name is stored with it, however the routing table has changed since; without a stored name, to the rail that the routing table
 * names for its tenant and operation.
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

    /** The rail of {@code transaction}; empty when no route leads to one, or this processor does not have it. */
    public Optional<PaymentRail> find(Transaction transaction) {
        Tenant tenant = transaction.tenant();
        return name(tenant, transaction.operation(), transaction.terms().rail())
                // a live transaction would be paid without money
                .filter(name -> tenant.mode() == Mode.TEST || !name.equals(RailProperties.SIMULATOR))
                .map(byName::get);
    }

    /**
     * The name of a transaction's rail, which this processor may not have; empty when no route leads to one.
     *
     * @param stored the name stored with the transaction; null for none
     */
    public Optional<String> name(Tenant tenant, Operation operation, @Nullable String stored) {
        return stored == null || tenant.mode() == Mode.TEST ? properties.rail(tenant, operation) : Optional.of(stored);
    }

    /** The names of all rails that this processor has. */
    public Set<String> names() {
        return byName.keySet();
    }
}
