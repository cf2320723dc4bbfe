package dev.ligeiro.gateway.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionPropertiesTest {

    @Test
    void theFileHasTheDefaults() {
        assertThat(Settings.ofYaml(ConnectionProperties.class))
                .isEqualTo(Settings.defaults(ConnectionProperties.class))
                .isEqualTo(new ConnectionProperties(
                        20_000,
                        Duration.ofSeconds(75),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(5),
                        false));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(
                        ConnectionProperties.class,
                        "ligeiro.http.connections-max=1",
                        "ligeiro.http.idle-timeout=100ms",
                        "ligeiro.http.request-timeout=2s",
                        "ligeiro.http.response-timeout=3s",
                        "ligeiro.http.long-response-timeout=4s",
                        "ligeiro.http.drain-time=0s",
                        "ligeiro.http.reuse-port=true"))
                .isEqualTo(new ConnectionProperties(
                        1,
                        Duration.ofMillis(100),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        Duration.ZERO,
                        true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ligeiro.http.connections-max=0",
                "ligeiro.http.idle-timeout=99ms",
                "ligeiro.http.request-timeout=61m",
                "ligeiro.http.response-timeout=-1s",
                "ligeiro.http.long-response-timeout=2h",
                "ligeiro.http.drain-time=11s"
            })
    void aValueOutOfBoundsStopsTheStart(String setting) {
        assertThat(Settings.refusal(ConnectionProperties.class, setting))
                .contains(setting.split("=", 2)[0] + ": ")
                .contains("(expected: ");
    }
}
