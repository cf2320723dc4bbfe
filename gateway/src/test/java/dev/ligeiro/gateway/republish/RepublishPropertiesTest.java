package dev.ligeiro.gateway.republish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepublishPropertiesTest {

    @Test
    void defaults() {
        RepublishProperties defaults = Settings.defaults(RepublishProperties.class);

        assertThat(defaults.every()).isEqualTo(Duration.ofSeconds(5));
        assertThat(defaults.ages())
                .containsExactly(
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        Duration.ofHours(1),
                        Duration.ofHours(6),
                        Duration.ofHours(24),
                        Duration.ofHours(72));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(
                        RepublishProperties.class, "ligeiro.republish.ages=1s,1d", "ligeiro.republish.every=200ms"))
                .isEqualTo(new RepublishProperties(
                        List.of(Duration.ofSeconds(1), Duration.ofDays(1)), Duration.ofMillis(200)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ligeiro.republish.ages=       | ligeiro.republish.ages: empty (expected: at least one duration)",
                "ligeiro.republish.ages=999ms  | ligeiro.republish.ages: PT0.999S (expected: at least 1s)",
                "ligeiro.republish.ages=30s,0s | ligeiro.republish.ages: PT0S (expected: at least 1s)",
                "ligeiro.republish.ages=-1m    | ligeiro.republish.ages: PT-1M (expected: at least 1s)",
                "ligeiro.republish.ages=soon   | Failed to bind properties under 'ligeiro.republish.ages'",
                "ligeiro.republish.every=0s    | ligeiro.republish.every: PT0S (expected: above 0)",
                "ligeiro.republish.every=-5s   | ligeiro.republish.every: PT-5S (expected: above 0)"
            })
    void aValueOutOfBoundsIsRefusedByKeyAndValue(String setting, String message) {
        assertThat(Settings.refusal(RepublishProperties.class, setting)).contains(message);
    }
}
