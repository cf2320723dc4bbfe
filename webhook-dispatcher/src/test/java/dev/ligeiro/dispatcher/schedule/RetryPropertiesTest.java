package dev.ligeiro.dispatcher.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPropertiesTest {

    private static final String PREFIX = "ligeiro.webhook.retry.";

    @Test
    void theDefaultsAreThoseOfTheDocumentedFile() {
        RetryProperties defaults = new RetryProperties(
                List.of(
                        Duration.ZERO,
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(30),
                        Duration.ofHours(2),
                        Duration.ofHours(5),
                        Duration.ofHours(10),
                        Duration.ofHours(14),
                        Duration.ofHours(20),
                        Duration.ofHours(24)),
                0.2,
                Duration.ofHours(24),
                Duration.ofMillis(500),
                200,
                Duration.ofSeconds(5),
                Duration.ofSeconds(15));
        assertThat(Settings.ofNothing(RetryProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(RetryProperties.class)).isEqualTo(defaults);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Settings.of(
                        RetryProperties.class,
                        PREFIX + "delays=0s,1s",
                        PREFIX + "jitter=0",
                        PREFIX + "retry-after-max=1h",
                        PREFIX + "poll-interval=2s",
                        PREFIX + "claim-max=3",
                        PREFIX + "postponement=4s",
                        PREFIX + "backlog-interval=5s"))
                .isEqualTo(new RetryProperties(
                        List.of(Duration.ZERO, Duration.ofSeconds(1)),
                        0,
                        Duration.ofHours(1),
                        Duration.ofSeconds(2),
                        3,
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delays=-1s           | delays: [PT-1S]",
                "jitter=-0.1          | jitter: -0.1",
                "jitter=1             | jitter: 1.0",
                "jitter=NaN           | jitter: NaN",
                "retry-after-max=-1s  | retry-after-max: PT-1S",
                "poll-interval=0s     | poll-interval: PT0S",
                "claim-max=0          | claim-max: 0",
                "postponement=0s      | postponement: PT0S",
                "backlog-interval=0s  | backlog-interval: PT0S"
            })
    void whatIsOutOfBoundsIsRefused(String setting, String message) {
        assertThatThrownBy(() -> Settings.of(RetryProperties.class, PREFIX + setting))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
