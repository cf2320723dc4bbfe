package dev.ligeiro.processor.intake;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How commands are taken from Kafka; application.yml says what each setting does.
 *
 * @param batchTimeout of one attempt at a batch, below the consumer's {@code max.poll.interval.ms} of five minutes
 * @param retryDelayMax between two attempts at a batch
 * @param heartbeatAgeMax up to which the consumer counts as a member of its group
 */
@Validated
@ConfigurationProperties("ligeiro.intake")
record IntakeProperties(
        @DefaultValue("30s") @DurationMin(seconds = 1) @DurationMax(minutes = 4) Duration batchTimeout,
        @DefaultValue("10s") @DurationMin(millis = 100) @DurationMax(minutes = 1) Duration retryDelayMax,
        @DefaultValue("15s") @DurationMin(seconds = 1) @DurationMax(minutes = 5) Duration heartbeatAgeMax) {}
