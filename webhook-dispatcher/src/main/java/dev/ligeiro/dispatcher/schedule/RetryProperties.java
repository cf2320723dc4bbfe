package dev.ligeiro.dispatcher.schedule;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The retry schedule of deliveries, and the polling for due ones.
 *
 * @param delays the delay before each attempt, counted from the previous one; the first entry is for the first attempt. The number
 *     of entries is the maximum number of attempts
 * @param jitter the fraction by which a delay is made longer or shorter at random, from 0 to below 1
 * @param retryAfterMax the upper limit for a merchant's {@code Retry-After}
 * @param pollInterval the pause between two polls, unless the last one was full
 * @param claimMax the maximum number of deliveries that one poll reads and claims
 * @param postponement the delay of a due delivery whose endpoint is at its limit of running attempts
 * @param backlogInterval the interval of the metric of due deliveries
 */
@Validated
@ConfigurationProperties("ligeiro.webhook.retry")
record RetryProperties(
        @DefaultValue({"0s", "5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"}) @NotEmpty
                List<@DurationMin(nanos = 0) Duration> delays,
        @DefaultValue("0.2") @DecimalMin("0") @DecimalMax(value = "1", inclusive = false) double jitter,
        @DefaultValue("24h") @DurationMin(nanos = 0) Duration retryAfterMax,
        @DefaultValue("500ms") @DurationMin(millis = 1) Duration pollInterval,
        @DefaultValue("200") @Min(1) int claimMax,
        @DefaultValue("5s") @DurationMin(millis = 1) Duration postponement,
        @DefaultValue("15s") @DurationMin(millis = 1) Duration backlogInterval) {

    RetryProperties {
        delays = List.copyOf(delays);
    }
}
