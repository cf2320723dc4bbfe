package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Finds the rail of a transaction by its mode, operation and tenant. A test transaction always goes to the simulator, a live one never.
 */
@Component
public class RailRoutes {

    private final Map<String, PaymentRail> byName;
    private final RailProperties properties;

    RailRoutes(Collection<PaymentRail> rails, RailProperties properties) {
        this.byName =
                rails.stream().collect(Collectors.toMap(rail -> rail.facts().name(), Function.identity()));
        this.properties = properties;
        for (RailProperties.Route route : properties.routes()) {
            if (!byName.containsKey(route.rail()) || route.rail().equals(RailProperties.SIMULATOR)) {
                throw new IllegalArgumentException("ligeiro.rails.routes: " + route.rail() + " (expected one of: "
                        + byName.keySet().stream()
                                .filter(name -> !name.equals(RailProperties.SIMULATOR))
                                .sorted()
                                .toList()
                        + ")");
            }
        }
    }

    /** The rail of {@code transaction}; empty when no route leads to one. */
    public Optional<PaymentRail> find(Transaction transaction) {
        if (transaction.tenant().mode() == Mode.TEST) {
            return Optional.ofNullable(byName.get(RailProperties.SIMULATOR));
        }
        return properties.routes().stream()
                .filter(route -> route.matches(transaction))
                .findFirst()
                .map(route -> byName.get(route.rail()));
    }
}
