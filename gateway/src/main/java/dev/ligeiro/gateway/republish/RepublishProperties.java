package dev.ligeiro.gateway.republish;

import dev.ligeiro.support.settings.Bounds;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the sweeper. {@code application.yml} explains each key.
 *
 * @param every the interval between two passes, ±20 %
 * @param lease how long a gateway holds the sweeper after its last sign of life, renewed after a third of it
 * @param consumerGroup the group of the processors
 * @param appendDelayMax the longest time from a transaction's creation to the append of its command in Kafka
 * @param pauseMax the longest pause between two copies of a command
 * @param openMax the most transactions that are republished and not accepted
 */
@ConfigurationProperties("ligeiro.republish")
@Validated
record RepublishProperties(
        @DefaultValue("5s")
                @DurationMin(
                        millis = 0,
                        inclusive = false,
                        message = "ligeiro.republish.every: ${validatedValue} (expected: above 0)")
                Duration every,
        @DefaultValue("30s") @Bounds(key = "ligeiro.republish.lease", min = "5s", max = "5m") Duration lease,
        @DefaultValue("ligeiro-processor")
                @NotBlank(message = "ligeiro.republish.consumer-group: empty (expected: the group of the processors)")
                String consumerGroup,
        @DefaultValue("60s")
                @DurationMin(
                        seconds = 1,
                        message = "ligeiro.republish.append-delay-max: ${validatedValue} (expected: at least 1s)")
                Duration appendDelayMax,
        @DefaultValue("1h")
                @DurationMin(
                        seconds = 1,
                        message = "ligeiro.republish.pause-max: ${validatedValue} (expected: at least 1s)")
                Duration pauseMax,
        @DefaultValue("10000")
                @Min(value = 1, message = RepublishProperties.OPEN_MAX)
                @Max(value = 100_000, message = RepublishProperties.OPEN_MAX)
                int openMax) {

    private static final String OPEN_MAX =
            "ligeiro.republish.open-max: ${validatedValue} (expected: 1 to 100000, since one MongoDB document holds them)";
}
