package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntakePropertiesTest {

    private static final String PREFIX = "ligeiro.intake.";

    private static final IntakeProperties DEFAULTS =
            new IntakeProperties(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(15));

    @Test
    void defaults() {
        assertThat(Settings.defaults(IntakeProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void others() {
        assertThat(Settings.of(
                        IntakeProperties.class,
                        PREFIX + "batch-timeout=2m",
                        PREFIX + "retry-delay-max=100ms",
                        PREFIX + "heartbeat-age-max=5m"))
                .isEqualTo(new IntakeProperties(Duration.ofMinutes(2), Duration.ofMillis(100), Duration.ofMinutes(5)));
    }

    @ParameterizedTest
    @CsvSource({
        "batch-timeout=999ms, batchTimeout",
        "batch-timeout=241s, batchTimeout",
        "retry-delay-max=99ms, retryDelayMax",
        "retry-delay-max=61s, retryDelayMax",
        "heartbeat-age-max=999ms, heartbeatAgeMax",
        "heartbeat-age-max=301s, heartbeatAgeMax"
    })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(IntakeProperties.class, PREFIX + setting))
                .contains("'ligeiro.intake' on field '" + field + "'");
    }
}
