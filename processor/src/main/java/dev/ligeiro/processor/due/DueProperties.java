package dev.ligeiro.processor.due;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of due work. {@code application.yml} explains each key.
 *
 * @param every the interval between two passes, ±20 %
 * @param lease how soon another processor takes over after a crash
 * @param aheadMax the most commands in Kafka that the processors have not passed
 * @param stuckAfter an outcome that is unknown for longer is reported to the operator
 */
@Validated
@ConfigurationProperties("ligeiro.due")
record DueProperties(
        @DefaultValue("1s") @DurationMin(millis = 100) @DurationMax(minutes = 1) Duration every,
        @DefaultValue("15s") @DurationMin(seconds = 5) @DurationMax(minutes = 5) Duration lease,
        @DefaultValue("2000") @Min(1) @Max(100_000) int aheadMax,
        @DefaultValue("10m") @DurationMin(minutes = 1) @DurationMax(days = 30) Duration stuckAfter) {}
