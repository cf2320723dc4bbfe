package dev.ligeiro.gateway.publish.republish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepublishPropertiesTest {

    private static final RepublishProperties DEFAULTS = new RepublishProperties(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            "ligeiro-processor",
            Duration.ofSeconds(60),
            Duration.ofHours(1));

    @Test
    void defaults() {
        assertThat(Settings.defaults(RepublishProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(RepublishProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(
                        RepublishProperties.class,
                        "ligeiro.republish.every=1ms",
                        "ligeiro.republish.lease=5s",
                        "ligeiro.republish.consumer-group=other",
                        "ligeiro.republish.append-delay-max=1s",
                        "ligeiro.republish.pause-max=7d"))
                .isEqualTo(new RepublishProperties(
                        Duration.ofMillis(1),
                        Duration.ofSeconds(5),
                        "other",
                        Duration.ofSeconds(1),
                        Duration.ofDays(7)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "every=0s                 | ligeiro.republish.every: PT0S (expected: above 0)",
                "every=-5s                | ligeiro.republish.every: PT-5S (expected: above 0)",
                "every=soon               | Failed to bind properties under 'ligeiro.republish.every'",
                "lease=4999ms             | ligeiro.republish.lease: PT4.999S (expected: 5s to 5m)",
                "lease=301s               | ligeiro.republish.lease: PT5M1S (expected: 5s to 5m)",
                "consumer-group=          | ligeiro.republish.consumer-group: empty (expected: the group of the processors)",
                "append-delay-max=999ms   | ligeiro.republish.append-delay-max: PT0.999S (expected: at least 1s)",
                "pause-max=999ms          | ligeiro.republish.pause-max: PT0.999S (expected: at least 1s)"
            })
    void aValueOutOfBoundsIsRefusedByKeyAndValue(String setting, String message) {
        assertThat(Settings.refusal(RepublishProperties.class, "ligeiro.republish." + setting))
                .contains(message);
    }
}
