package dev.ligeiro.processor.rail.simulator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/**
 * Lets a test switch on faults of the simulated rail in this process, at {@code /actuator/simulator} of the management port. It exists
 * only if the exposed endpoints include {@code simulator}. Live transactions never reach the simulated rail.
 */
@Component
@Endpoint(id = "simulator")
@ConditionalOnAvailableEndpoint(endpoint = SimulatorEndpoint.class)
class SimulatorEndpoint {

    private final SimulatedLine line;
    private final SimulatorProperties properties;
    private final Clock clock;

    SimulatorEndpoint(SimulatedLine line, SimulatorProperties properties, Clock clock) {
        this.line = line;
        this.properties = properties;
        this.clock = clock;
    }

    @ReadOperation
    SimulatorFaults read() {
        return line.faults();
    }

    /**
     * Replaces all faults; a parameter that is left out means no such fault.
     *
     * @param downFor how long every call fails from now
     */
    @WriteOperation
    SimulatorFaults write(
            @Nullable Duration slow,
            SimulatorFaults.@Nullable Answers answers,
            SimulatorFaults.@Nullable Notices notices,
            @Nullable Duration downFor,
            @Nullable Boolean charges) {
        Duration longer = slow == null ? Duration.ZERO : slow;
        Duration slowMax = properties.delayMax().minus(properties.submissionDelay());
        if (longer.isNegative() || longer.compareTo(slowMax) > 0) {
            String reason = "slow: " + longer + " (expected: PT0S to " + slowMax
                    + ": half of ligeiro.simulator.late-arrival, less the submission delay)";
            throw new InvalidEndpointRequestException(reason, reason);
        }
        Instant downUntil = downFor == null ? null : clock.instant().plus(downFor);
        line.set(new SimulatorFaults(
                longer,
                Objects.requireNonNullElse(answers, SimulatorFaults.Answers.GIVEN),
                Objects.requireNonNullElse(notices, SimulatorFaults.Notices.NONE),
                downUntil,
                Boolean.TRUE.equals(charges)));
        return line.faults();
    }
}
