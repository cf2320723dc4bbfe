package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.testing.settings.Settings;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private final UUID one = new UUID(0, 1);
    private final UUID other = new UUID(0, 2);
    private final InFlight inFlight = new InFlight(Settings.of(
            WebhookProperties.class,
            "ligeiro.webhook.in-flight-max=3",
            "ligeiro.webhook.in-flight-per-endpoint-max=2"));

    @Test
    void anEndpointHasItsOwnLimit() {
        assertThat(inFlight.tryAcquire(one)).isTrue();
        assertThat(inFlight.isFull(one)).isFalse();
        assertThat(inFlight.tryAcquire(one)).isTrue();
        assertThat(inFlight.isFull(one)).isTrue();
        assertThat(inFlight.tryAcquire(one)).isFalse();
        assertThat(inFlight.tryAcquire(other)).isTrue();
        assertThat(inFlight.total()).isEqualTo(3);
    }

    @Test
    void theTotalHasALimit() {
        inFlight.tryAcquire(one);
        inFlight.tryAcquire(one);
        inFlight.tryAcquire(other);
        assertThat(inFlight.available()).isZero();
        assertThat(inFlight.tryAcquire(other)).isFalse();
        inFlight.release(one);
        assertThat(inFlight.tryAcquire(other)).isTrue();
    }

    @Test
    void aReleasedPermitIsNoLongerCounted() {
        inFlight.tryAcquire(one);
        inFlight.release(one);
        assertThat(inFlight.total()).isZero();
        assertThat(inFlight.available()).isEqualTo(3);
        assertThat(inFlight.isFull(one)).isFalse();
    }
}
