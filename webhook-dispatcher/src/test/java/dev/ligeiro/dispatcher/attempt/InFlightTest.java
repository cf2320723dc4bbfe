package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void anEndpointATenantAndAllTogetherHaveTheirLimits() {
        assertThat(inFlight.tryAcquire(one)).isTrue();
        assertThat(inFlight.tryAcquire(one)).isTrue();
        assertThat(inFlight.tryAcquire(one)).isFalse();
        assertThat(inFlight.tryAcquire(sibling)).isTrue();
        assertThat(inFlight.tryAcquire(sibling)).isFalse();
        assertThat(inFlight.tryAcquire(stranger)).isTrue();
        assertThat(inFlight.tryAcquire(stranger)).isFalse();
        assertThat(inFlight.total()).isEqualTo(4);
        inFlight.release(one);
        assertThat(inFlight.tryAcquire(stranger)).isTrue();
    }

    @Test
    void lanesHaveTheirOwnLimit() {
        assertThat(inFlight.tryAcquireForLane(one)).isTrue();
        assertThat(inFlight.tryAcquireForLane(one)).isTrue();
        assertThat(inFlight.tryAcquireForLane(sibling)).isTrue();
        assertThat(inFlight.tryAcquireForLane(stranger)).isFalse();
        assertThat(inFlight.tryAcquire(stranger)).isTrue();
        inFlight.releaseOfLane(one);
        assertThat(inFlight.tryAcquireForLane(one)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        // in-flight-max, first attempts while lanes use all they may, lane attempts while first attempts do
        "512, 128, 64",
        "8, 2, 1",
    })
    void lanesAndFirstAttemptsLeaveEachOtherAShare(int max, int firstAttempts, int ofLanes) {
        InFlight lanesFirst = inFlight(max);
        acquireAll(lanesFirst::tryAcquireForLane);
        assertThat(acquireAll(lanesFirst::tryAcquire)).isEqualTo(firstAttempts);
        assertThat(lanesFirst.total()).isEqualTo(max);

        InFlight firstAttemptsFirst = inFlight(max);
        acquireAll(firstAttemptsFirst::tryAcquire);
        assertThat(acquireAll(firstAttemptsFirst::tryAcquireForLane)).isEqualTo(ofLanes);
        assertThat(firstAttemptsFirst.total()).isEqualTo(max);
    }

    private int acquireAll(Predicate<WebhookEndpoint> acquire) {
        int acquired = 0;
        while (acquire.test(one)) {
            acquired++;
        }
        return acquired;
    }

    private static InFlight inFlight(int max) {
        return new InFlight(Settings.of(
                WebhookProperties.class,
                "ligeiro.webhook.in-flight-max=" + max,
                "ligeiro.webhook.in-flight-per-tenant-max=" + max,
                "ligeiro.webhook.in-flight-per-endpoint-max=" + max));
    }
}
