package dev.ligeiro.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayPropertiesTest {

    @Test
    void defaults() {
        assertThat(Settings.defaults(GatewayProperties.class))
                .isEqualTo(new GatewayProperties(
                        null,
                        ZoneId.of("America/Sao_Paulo"),
                        new BigDecimal("9999999999.99"),
                        Duration.ofHours(24),
                        "99999999"));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(
                        GatewayProperties.class,
                        "ligeiro.public-url=https://pix.example.com",
                        "ligeiro.time-zone=UTC",
                        "ligeiro.amount-max=1000",
                        "ligeiro.expires-in=15m",
                        "ligeiro.ispb=1234567A"))
                .isEqualTo(new GatewayProperties(
                        "https://pix.example.com",
                        ZoneId.of("UTC"),
                        new BigDecimal("1000"),
                        Duration.ofMinutes(15),
                        "1234567A"));
    }

    @ParameterizedTest
    @CsvSource({
        "ligeiro.public-url=http://localhost:8080, publicUrl=http://localhost:8080",
        "ligeiro.amount-max=0.01, amountMax=0.01",
        "ligeiro.amount-max=9999999999.99, amountMax=9999999999.99",
        "ligeiro.expires-in=1s, expiresIn=PT1S",
        "ligeiro.expires-in=365d, expiresIn=PT8760H",
        "ligeiro.ispb=00000000, ispb=00000000"
    })
    void theBoundsAreIncluded(String setting, String bound) {
        assertThat(Settings.of(GatewayProperties.class, setting).toString()).contains(bound);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ligeiro.public-url=pix.example.com",
                "ligeiro.public-url=https://pix.example.com/",
                "ligeiro.public-url=https://pix.example.com/base",
                "ligeiro.public-url=https://user@pix.example.com",
                "ligeiro.public-url=ftp://pix.example.com",
                "ligeiro.public-url=https://",
                "ligeiro.amount-max=0",
                "ligeiro.amount-max=-1",
                "ligeiro.amount-max=0.001",
                "ligeiro.amount-max=10.005",
                "ligeiro.amount-max=10000000000",
                "ligeiro.ispb=1234567",
                "ligeiro.ispb=123456789",
                "ligeiro.ispb=1234567-"
            })
    void aValueOutOfBoundsIsRefusedByKeyAndValue(String setting) {
        assertThat(Settings.refusal(GatewayProperties.class, setting))
                .contains(setting.replace("=", ": ") + " (expected: ");
    }

    @ParameterizedTest
    @CsvSource({"0s, PT0S", "8761h, PT8761H"})
    void anExpiryOutOfBoundsIsRefused(String given, String shown) {
        assertThat(Settings.refusal(GatewayProperties.class, "ligeiro.expires-in=" + given))
                .contains("ligeiro.expires-in: " + shown + " (expected: 1s to 365d)");
    }

    @Test
    void anUnknownTimeZoneIsRefused() {
        assertThat(Settings.refusal(GatewayProperties.class, "ligeiro.time-zone=America/Nowhere"))
                .contains("Failed to bind properties under 'ligeiro.time-zone'");
    }
}
