package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

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
                Duration.ofHours(24));
        assertThat(Settings.defaults(RetryProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(RetryProperties.class)).isEqualTo(defaults);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Settings.of(
                        RetryProperties.class,
                        PREFIX + "delays=0s,1s",
                        PREFIX + "jitter=0",
                        PREFIX + "retry-after-max=1h"))
                .isEqualTo(new RetryProperties(List.of(Duration.ZERO, Duration.ofSeconds(1)), 0, Duration.ofHours(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delays=              | delays",
                "delays=0s,-1s        | delays[1]",
                "jitter=-0.1          | jitter",
                "jitter=1             | jitter",
                "jitter=NaN           | jitter",
                "retry-after-max=-1s  | retryAfterMax"
            })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(RetryProperties.class, PREFIX + setting))
                .contains("'ligeiro.webhook.retry' on field '" + field);
    }

    @Test
    void aDelayBeforeTheFirstAttemptIsRefused() {
        assertThat(Settings.refusal(RetryProperties.class, PREFIX + "delays=5s,5m"))
                .contains("ligeiro.webhook.retry.delays must begin with 0s: the first attempt is made at once");
    }
}
