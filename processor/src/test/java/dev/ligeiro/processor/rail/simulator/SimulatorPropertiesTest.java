package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatorPropertiesTest {

    private static final String PREFIX = "ligeiro.simulator.";

    private static final SimulatorProperties DEFAULTS = new SimulatorProperties(
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            1_000);

    @Test
    void defaults() {
        assertThat(Settings.defaults(SimulatorProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(SimulatorProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void others() {
        assertThat(Settings.of(
                        SimulatorProperties.class,
                        PREFIX + "submission-delay=2s",
                        PREFIX + "analysis=0s",
                        PREFIX + "late-arrival=4s",
                        PREFIX + "inquire-after=1ms",
                        PREFIX + "call-timeout=10m",
                        PREFIX + "calls-at-once-max=1"))
                .isEqualTo(new SimulatorProperties(
                        Duration.ofSeconds(2),
                        Duration.ZERO,
                        Duration.ofSeconds(4),
                        Duration.ofMillis(1),
                        Duration.ofMinutes(10),
                        1));
    }

    @ParameterizedTest
    @CsvSource({
        "submission-delay=-1ms, submissionDelay",
        "submission-delay=16s, submissionDelayWithinLateArrival",
        "analysis=-1ms, analysis",
        "analysis=61m, analysis",
        "late-arrival=0s, lateArrival",
        "late-arrival=11m, lateArrival",
        "inquire-after=0s, inquireAfter",
        "inquire-after=11m, inquireAfter",
        "call-timeout=0s, callTimeout",
        "call-timeout=11m, callTimeout",
        "calls-at-once-max=0, callsAtOnceMax",
        "calls-at-once-max=100001, callsAtOnceMax"
    })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(SimulatorProperties.class, PREFIX + setting))
                .contains("'ligeiro.simulator' on field '" + field + "'");
    }
}
