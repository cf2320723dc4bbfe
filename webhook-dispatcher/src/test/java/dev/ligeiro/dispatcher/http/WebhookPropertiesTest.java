package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.unit.DataSize;

class WebhookPropertiesTest {

    private static final String PREFIX = "ligeiro.webhook.";

    @Test
    void theDefaultsAreThoseOfTheDocumentedFile() {
        WebhookProperties defaults = new WebhookProperties(
                List.of(), Duration.ofSeconds(5), Duration.ofSeconds(15), DataSize.ofKilobytes(8), 512, 128, 20);
        assertThat(Settings.defaults(WebhookProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(WebhookProperties.class)).isEqualTo(defaults);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Settings.of(
                        WebhookProperties.class,
                        PREFIX + "allowed-networks=10.0.0.0/8,127.0.0.1",
                        PREFIX + "connect-timeout=1s",
                        PREFIX + "total-timeout=2s",
                        PREFIX + "answer-max=1KB",
                        PREFIX + "in-flight-max=30",
                        PREFIX + "in-flight-per-tenant-max=10",
                        PREFIX + "in-flight-per-endpoint-max=3"))
                .isEqualTo(new WebhookProperties(
                        List.of("10.0.0.0/8", "127.0.0.1"),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        DataSize.ofKilobytes(1),
                        30,
                        10,
                        3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "connect-timeout=0s              | 'ligeiro.webhook' on field 'connectTimeout'",
                "total-timeout=-1s               | 'ligeiro.webhook' on field 'totalTimeout'",
                "answer-max=-1B                  | ligeiro.webhook.answer-max must be at least 0B",
                "in-flight-max=0                 | 'ligeiro.webhook' on field 'inFlightMax'",
                "in-flight-per-endpoint-max=0    | 'ligeiro.webhook' on field 'inFlightPerEndpointMax'",
                "in-flight-per-tenant-max=0      | 'ligeiro.webhook' on field 'inFlightPerTenantMax'",
                "in-flight-per-tenant-max=513    | in-flight-per-endpoint-max must be at most in-flight-per-tenant-max, and that at most",
                "in-flight-per-endpoint-max=129  | in-flight-per-endpoint-max must be at most in-flight-per-tenant-max, and that at most"
            })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String message) {
        assertThat(Settings.refusal(WebhookProperties.class, PREFIX + setting)).contains(message);
    }

    @Test
    void theBoundsThemselvesAreAccepted() {
        assertThat(Settings.of(
                        WebhookProperties.class,
                        PREFIX + "connect-timeout=1ms",
                        PREFIX + "total-timeout=1ms",
                        PREFIX + "answer-max=0B",
                        PREFIX + "in-flight-max=1",
                        PREFIX + "in-flight-per-tenant-max=1",
                        PREFIX + "in-flight-per-endpoint-max=1"))
                .isEqualTo(new WebhookProperties(
                        List.of(), Duration.ofMillis(1), Duration.ofMillis(1), DataSize.ofBytes(0), 1, 1, 1));
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#accepted")
    void anAddressOrNetworkIsAllowed(String entry) {
        assertThat(Settings.of(WebhookProperties.class, PREFIX + "allowed-networks=" + entry)
                        .networks()
                        .networks())
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#refused")
    void anythingElseStopsTheStart(String entry) {
        assertThatThrownBy(() -> Settings.of(WebhookProperties.class, PREFIX + "allowed-networks=" + entry))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .rootCause()
                .hasMessageStartingWith(PREFIX + "allowed-networks: " + entry + " (expected: ");
    }
}
