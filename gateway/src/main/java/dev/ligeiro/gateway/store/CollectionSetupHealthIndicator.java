package dev.ligeiro.gateway.store;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Part of readiness: without the unique indexes, two transactions of a tenant could have the same reference or idempotency key. */
@Component
class CollectionSetupHealthIndicator implements HealthIndicator {

    private final CollectionSetup setup;

    CollectionSetupHealthIndicator(CollectionSetup setup) {
        this.setup = setup;
    }

    @Override
    public Health health() {
        return setup.isDone() ? Health.up().build() : Health.outOfService().build();
    }
}
