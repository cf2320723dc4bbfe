package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitPropertiesTest {

    @Test
    void theFileHasTheDefaults() {
        assertThat(Settings.ofYaml(RateLimitProperties.class))
                .isEqualTo(Settings.defaults(RateLimitProperties.class))
                .isEqualTo(new RateLimitProperties(true, Duration.ofSeconds(10), 500, 1_000, 1_000, 2_000));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(
                        RateLimitProperties.class,
                        "ligeiro.rate-limits.enabled=false",
                        "ligeiro.rate-limits.burst=1s",
                        "ligeiro.rate-limits.key-reads-per-second=1",
                        "ligeiro.rate-limits.key-writes-per-second=2",
                        "ligeiro.rate-limits.merchant-reads-per-second=3",
                        "ligeiro.rate-limits.merchant-writes-per-second=4"))
                .isEqualTo(new RateLimitProperties(false, Duration.ofSeconds(1), 1, 2, 3, 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ligeiro.rate-limits.burst=999ms",
                "ligeiro.rate-limits.burst=61s",
                "ligeiro.rate-limits.burst=1500ms",
                "ligeiro.rate-limits.key-reads-per-second=0",
                "ligeiro.rate-limits.key-writes-per-second=1000001",
                "ligeiro.rate-limits.merchant-reads-per-second=-1",
                "ligeiro.rate-limits.merchant-writes-per-second=0"
            })
    void aValueOutOfBoundsStopsTheStart(String setting) {
        assertThat(Settings.refusal(RateLimitProperties.class, setting))
                .contains(setting.split("=", 2)[0] + ": ")
                .contains("(expected: ");
    }
}
