package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.TestEnvironment;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class EndpointStoreIT {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private final EndpointStore store = new EndpointStore(ENVIRONMENT.database());

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    /** The intake then tries smaller parts of the batch, down to one tenant. */
    @Test
    void theLargestEndpointsOfSeveralTenantsAreNotReadTogether() {
        Tenant one = ENVIRONMENT.tenant();
        Tenant other = ENVIRONMENT.tenant();
        String half = "x".repeat((int) DispatcherMemoryBudget.ENDPOINT_BYTES_MAX / 2);
        for (Tenant tenant : List.of(one, other)) {
            ENVIRONMENT.endpoints().set(ENVIRONMENT.endpoints().register(tenant, "/large"), "large", half);
        }

        assertThat(Objects.requireNonNull(store.ofTenants(List.of(one)).block(WAIT))
                        .of(one))
                .hasSize(1);
        assertThatThrownBy(() -> store.ofTenants(List.of(one, other)).block(WAIT))
                .isInstanceOf(EndpointStore.TooLarge.class)
                .hasMessageStartingWith("endpoints of 2 tenants: ");

        ENVIRONMENT.endpoints().set(ENVIRONMENT.endpoints().register(one, "/larger"), "large", half + half);
        assertThat(Objects.requireNonNull(store.ofTenants(List.of(one)).block(WAIT))
                        .of(one))
                .hasSize(2);
    }

    /** MongoDB finds the tenant as any type of number. */
    @Test
    void aTenantThatIsStoredAsAnotherNumberIsRead() {
        Tenant tenant = ENVIRONMENT.tenant();
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, "/number");
        ENVIRONMENT.endpoints().set(endpoint, "tenant", (double) tenant.key());

        assertThat(Objects.requireNonNull(store.ofTenants(List.of(tenant)).block(WAIT))
                        .unreadable())
                .containsExactly(tenant);
        assertThat(store.tenant(endpoint.id()).block(WAIT)).isEqualTo(tenant);
    }
}
