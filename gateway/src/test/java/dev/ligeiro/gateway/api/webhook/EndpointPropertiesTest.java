package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EndpointPropertiesTest {

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#accepted")
    void anAddressOrNetworkIsAllowed(String entry) {
        assertThat(Settings.of(EndpointProperties.class, "ligeiro.webhook.allowed-networks=" + entry)
                        .networks()
                        .networks())
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#refused")
    void anythingElseStopsTheStart(String entry) {
        assertThatThrownBy(() -> Settings.of(EndpointProperties.class, "ligeiro.webhook.allowed-networks=" + entry))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .rootCause()
                .hasMessageStartingWith("ligeiro.webhook.allowed-networks: " + entry + " (expected: ");
    }
}
