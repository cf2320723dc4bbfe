package dev.ligeiro.processor.rail.simulator;

import jakarta.validation.constraints.AssertTrue;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The times and bounds of the simulated rail. {@code application.yml} explains each key.
 *
 * @param submissionDelay how long the rail works on a cashout or refund before its money moves
 * @param analysis how long an analysed transaction stays in analysis
 * @param lateArrival the span that the rail states for a submission's arrival
 * @param inquireAfter when the first inquiry means something
 * @param callTimeout when a call without an answer ends as unknown
 */
@Validated
@ConfigurationProperties("ligeiro.simulator")
record SimulatorProperties(
        @DefaultValue("0s") @DurationMin @DurationMax(minutes = 10) Duration submissionDelay,
        @DefaultValue("1s") @DurationMin @DurationMax(hours = 1) Duration analysis,
        @DefaultValue("30s") @DurationMin(millis = 1) @DurationMax(minutes = 10) Duration lateArrival,
        @DefaultValue("1s") @DurationMin(millis = 1) @DurationMax(minutes = 10) Duration inquireAfter,
        @DefaultValue("10s") @DurationMin(millis = 1) @DurationMax(minutes = 10) Duration callTimeout) {

    /** What a delayed submission needs for its write stays within the stated span. */
    @AssertTrue(message = "ligeiro.simulator.submission-delay must be at most half of ligeiro.simulator.late-arrival")
    public boolean isSubmissionDelayWithinLateArrival() {
        return submissionDelay.compareTo(delayMax()) <= 0;
    }

    /** The longest delay of a submission; the rest of the stated span is for the write to the ledger. */
    Duration delayMax() {
        return lateArrival.dividedBy(2);
    }
}
