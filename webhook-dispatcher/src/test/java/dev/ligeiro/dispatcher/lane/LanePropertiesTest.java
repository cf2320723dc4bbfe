package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LanePropertiesTest {

    private static final String PREFIX = "ligeiro.webhook.lane.";

    @Test
    void theDefaultsAreThoseOfTheDocumentedFile() {
        LaneProperties defaults = new LaneProperties(
                Duration.ofMillis(500),
                256,
                10,
                Duration.ofSeconds(5),
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                Duration.ofDays(5),
                Duration.ofHours(1));
        assertThat(Settings.defaults(LaneProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(LaneProperties.class)).isEqualTo(defaults);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Settings.of(
                        LaneProperties.class,
                        PREFIX + "poll-interval=2s",
                        PREFIX + "claimed-max=3",
                        PREFIX + "failures-max=4",
                        PREFIX + "open-min=5ms",
                        PREFIX + "open-max=6s",
                        PREFIX + "slow-for=7s",
                        PREFIX + "disable-after=8d",
                        PREFIX + "unreadable-delay=9m"))
                .isEqualTo(new LaneProperties(
                        Duration.ofSeconds(2),
                        3,
                        4,
                        Duration.ofMillis(5),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(7),
                        Duration.ofDays(8),
                        Duration.ofMinutes(9)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "poll-interval=0s",
                "claimed-max=0",
                "failures-max=0",
                "open-min=0s",
                "open-max=0s",
                "slow-for=0s",
                "disable-after=0s",
                "unreadable-delay=0s"
            })
    void aValueOutOfBoundsIsRefused(String setting) {
        assertThat(Settings.refusal(LaneProperties.class, PREFIX + setting))
                .contains("'ligeiro.webhook.lane' on field '");
    }
}
