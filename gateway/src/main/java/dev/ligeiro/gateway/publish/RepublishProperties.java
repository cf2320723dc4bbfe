package dev.ligeiro.gateway.publish;

import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import java.time.Instant;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the sweeper. {@code application.yml} explains each key.
 *
 * @param every the interval between two passes, ±20 %
 * @param lease how long a gateway holds the sweeper after the start of its last pass
 * @param consumerGroup the group of the processors
 * @param appendDelayMax the longest time from a transaction's creation to the append of its command in Kafka
 * @param pauseMax the longest pause between two copies of a command
 */
@ConfigurationProperties("ligeiro.republish")
@Validated
record RepublishProperties(
        @DefaultValue("5s") @DurationMin(millis = 1) Duration every,
        @DefaultValue("30s") @DurationMin(seconds = 5) @DurationMax(minutes = 5) Duration lease,
        @DefaultValue("ligeiro-processor") @NotBlank String consumerGroup,
        @DefaultValue("60s") @DurationMin(seconds = 1) Duration appendDelayMax,
        @DefaultValue("1h") @DurationMin(seconds = 1) Duration pauseMax) {

    /** The next copy follows {@code append-delay-max} after it at the earliest. So the pause is at least that long, and about doubles. */
    Instant nextRequest(Instant createdAt, Instant now) {
        Duration age = Duration.between(createdAt, now);
        Duration pause = age.compareTo(pauseMax) < 0 ? age : pauseMax;
        Duration beyond = pause.minus(appendDelayMax);
        return beyond.isNegative() ? now : now.plus(beyond);
    }
}
