package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;

class IntakePropertiesTest {

    private static final String PREFIX = "ligeiro.intake.";

    private static final IntakeProperties DEFAULTS =
            new IntakeProperties(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(15));

    @Test
    void defaults() {
        assertThat(Settings.ofNothing(IntakeProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(IntakeProperties.class)).isEqualTo(DEFAULTS);
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
    @ValueSource(
            strings = {
                "batch-timeout=999ms",
                "batch-timeout=241s",
                "retry-delay-max=99ms",
                "retry-delay-max=61s",
                "heartbeat-age-max=999ms",
                "heartbeat-age-max=301s"
            })
    void outOfBounds(String setting) {
        assertThatThrownBy(() -> Settings.of(IntakeProperties.class, PREFIX + setting))
                .isInstanceOf(BindException.class);
    }
}
