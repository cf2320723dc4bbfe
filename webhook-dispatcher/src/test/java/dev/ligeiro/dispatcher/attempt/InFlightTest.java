package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private static final Tenant TENANT = new Tenant(14);

    private final WebhookEndpoint one = Dispatches.endpoint(1, TENANT);
    private final WebhookEndpoint sibling = Dispatches.endpoint(2, TENANT);
    private final WebhookEndpoint stranger = Dispatches.endpoint(3, new Tenant(16));
    private final InFlight inFlight = new InFlight(Settings.of(
            WebhookProperties.class,
            "ligeiro.webhook.in-flight-max=4",
            "ligeiro.webhook.in-flight-per-tenant-max=3",
            "ligeiro.webhook.in-flight-per-endpoint-max=2"));

    @Test
    void anEndpointHasItsOwnLimit() {
        assertThat(inFlight.tryAcquire(one)).isTrue();
        assertThat(inFlight.tryAcquire(one)).isTrue();
        assertThat(inFlight.tryAcquire(one)).isFalse();
        assertThat(inFlight.tryAcquire(sibling)).isTrue();
        assertThat(inFlight.total()).isEqualTo(3);
    }

    @Test
    void aTenantHasItsOwnLimit() {
        inFlight.tryAcquire(one);
        inFlight.tryAcquire(one);
        inFlight.tryAcquire(sibling);
        assertThat(inFlight.tryAcquire(sibling)).isFalse();
        assertThat(inFlight.tryAcquire(stranger)).isTrue();
    }

    @Test
    void theTotalHasALimit() {
        inFlight.tryAcquire(one);
        inFlight.tryAcquire(one);
        inFlight.tryAcquire(sibling);
        inFlight.tryAcquire(stranger);
        assertThat(inFlight.tryAcquire(stranger)).isFalse();
        inFlight.release(one);
        assertThat(inFlight.tryAcquire(stranger)).isTrue();
    }

    @Test
    void lanesLeaveAQuarterForFirstAttempts() {
        assertThat(inFlight.tryAcquireForLane(one)).isTrue();
        assertThat(inFlight.tryAcquireForLane(one)).isTrue();
        assertThat(inFlight.tryAcquireForLane(sibling)).isTrue();
        assertThat(inFlight.tryAcquireForLane(stranger)).isFalse();
        assertThat(inFlight.tryAcquire(stranger)).isTrue();
        inFlight.releaseOfLane(one);
        assertThat(inFlight.tryAcquireForLane(one)).isTrue();
    }

    @Test
    void firstAttemptsLeaveAnEighthForLanes() {
        InFlight eight = new InFlight(Settings.of(
                WebhookProperties.class,
                "ligeiro.webhook.in-flight-max=8",
                "ligeiro.webhook.in-flight-per-tenant-max=8",
                "ligeiro.webhook.in-flight-per-endpoint-max=8"));
        int acquired = 0;
        while (eight.tryAcquire(one)) {
            acquired++;
        }
        assertThat(acquired).isEqualTo(7);
        assertThat(eight.tryAcquireForLane(one)).isTrue();
        assertThat(eight.total()).isEqualTo(8);
    }

    @Test
    void aReleasedPermitIsNoLongerCounted() {
        inFlight.tryAcquire(one);
        inFlight.release(one);
        assertThat(inFlight.total()).isZero();
        inFlight.tryAcquire(one);
        assertThat(inFlight.tryAcquire(one)).isTrue();
    }
}
