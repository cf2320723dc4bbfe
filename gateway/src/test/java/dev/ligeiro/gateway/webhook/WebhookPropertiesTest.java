package dev.ligeiro.gateway.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.testing.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookPropertiesTest {

    @Test
    void defaults() {
        assertThat(Settings.ofNothing(WebhookProperties.class)).isEqualTo(new WebhookProperties(List.of()));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(WebhookProperties.class, "ligeiro.webhook.allowed-networks=10.0.0.0/8,::1/128"))
                .isEqualTo(new WebhookProperties(List.of("10.0.0.0/8", "::1/128")));
    }

    @Test
    void whatIsNoNetworkStopsTheStart() {
        WebhookProperties wrong = Settings.of(WebhookProperties.class, "ligeiro.webhook.allowed-networks=10/8");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EndpointUrl(wrong))
                .withMessageStartingWith("ligeiro.webhook.allowed-networks: 10/8 (expected: ");
    }
}
