package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

class SimulatorEndpointTest {

    private final SimulatorEndpoint endpoint = new SimulatorEndpoint(
            new FaultSwitch(),
            Settings.of(SimulatorProperties.class, "ligeiro.simulator.submission-delay=5s"),
            TestClock.frozen());

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT10.001S"})
    void aSubmissionMustNotArriveLaterThanTheRailStates(Duration slow) {
        assertThatThrownBy(() -> endpoint.write(slow, null, null, null, null))
                .isInstanceOf(InvalidEndpointRequestException.class)
                .hasMessage(
                        "slow: " + slow
                                + " (expected: PT0S to PT10S: half of ligeiro.simulator.late-arrival, less the submission delay)");
    }
}
