package dev.ligeiro.support.kafka;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of a batch listener. {@code application.yml} explains each key.
 *
 * @param batchTimeout limit of one attempt at a batch; below the consumer's {@code max.poll.interval.ms}, five minutes
 * @param retryDelayMax longest pause between two attempts at a batch
 * @param heartbeatAgeMax time since the last heartbeat after which the consumer no longer counts as a member of its group
 */
@Validated
@ConfigurationProperties("ligeiro.intake")
public record IntakeProperties(
        @DefaultValue("30s") @DurationMin(seconds = 1) @DurationMax(minutes = 4) Duration batchTimeout,
        @DefaultValue("10s") @DurationMin(millis = 100) @DurationMax(minutes = 1) Duration retryDelayMax,
        @DefaultValue("15s") @DurationMin(seconds = 1) @DurationMax(minutes = 5) Duration heartbeatAgeMax) {}
