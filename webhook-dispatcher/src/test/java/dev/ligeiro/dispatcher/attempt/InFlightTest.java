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
    void anEndpointTakesNoMoreThanItsShare() {
        assertThat(inFlight.tryStart(one)).isTrue();
        assertThat(inFlight.full(one)).isFalse();
        assertThat(inFlight.tryStart(one)).isTrue();
        assertThat(inFlight.full(one)).isTrue();
        assertThat(inFlight.tryStart(one)).isFalse();
        assertThat(inFlight.tryStart(other)).isTrue();
        assertThat(inFlight.total()).isEqualTo(3);
    }

    @Test
    void allTogetherTakeNoMoreThanThereIs() {
        inFlight.tryStart(one);
        inFlight.tryStart(one);
        inFlight.tryStart(other);
        assertThat(inFlight.room()).isZero();
        assertThat(inFlight.tryStart(other)).isFalse();
        inFlight.end(one);
        assertThat(inFlight.tryStart(other)).isTrue();
    }

    @Test
    void whatEndsLeavesNothingBehind() {
        inFlight.tryStart(one);
        inFlight.end(one);
        assertThat(inFlight.total()).isZero();
        assertThat(inFlight.room()).isEqualTo(3);
        assertThat(inFlight.full(one)).isFalse();
    }
}
