package dev.ligeiro.processor.retain;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How long transactions keep personal data. {@code application.yml} explains each key.
 *
 * @param days of merchants without a number of their own; null for ever
 * @param legalPeriod for which a transaction must be kept whole after its last change
 * @param perSecond the most transactions to be looked at in a second
 */
@Validated
@ConfigurationProperties("ligeiro.retention")
public record RetentionProperties(
        @Min(90) @Max(36_500) @Nullable Integer days,
        @DefaultValue("0d") @DurationMin(days = 0) @DurationMax(days = 36_500) Duration legalPeriod,
        @DefaultValue("500") @Min(1) @Max(100_000) int perSecond) {}
