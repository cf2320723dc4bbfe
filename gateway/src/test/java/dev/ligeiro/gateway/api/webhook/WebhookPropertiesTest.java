package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WebhookPropertiesTest {

    @Test
    void defaults() {
        assertThat(Settings.defaults(WebhookProperties.class)).isEqualTo(new WebhookProperties(List.of()));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(WebhookProperties.class, "ligeiro.webhook.allowed-networks=10.0.0.0/8,::1/128"))
                .isEqualTo(new WebhookProperties(List.of("10.0.0.0/8", "::1/128")));
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#accepted")
    void anAddressOrNetworkIsAllowed(String entry) {
        assertThat(Settings.of(WebhookProperties.class, "ligeiro.webhook.allowed-networks=" + entry)
                        .networks()
                        .networks())
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#refused")
    void anythingElseStopsTheStart(String entry) {
        assertThatThrownBy(() -> Settings.of(WebhookProperties.class, "ligeiro.webhook.allowed-networks=" + entry))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .rootCause()
                .hasMessageStartingWith("ligeiro.webhook.allowed-networks: " + entry + " (expected: ");
    }
}
