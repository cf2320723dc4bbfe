package dev.ligeiro.dispatcher.attempt;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The retry schedule of deliveries.
 *
 * @param delays the delay before each attempt, counted from the previous one; the first entry is 0, since the first attempt is made at
 *     once. The number of entries is the maximum number of attempts
 * @param jitter the fraction by which a delay is made longer or shorter at random, from 0 to below 1
 * @param retryAfterMax the upper limit for a merchant's {@code Retry-After}
 */
@Validated
@ConfigurationProperties("ligeiro.webhook.retry")
public record RetryProperties(
        @DefaultValue({"0s", "5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"}) @NotEmpty
                List<@DurationMin(nanos = 0) Duration> delays,
        @DefaultValue("0.2") @DecimalMin("0") @DecimalMax(value = "1", inclusive = false) double jitter,
        @DefaultValue("24h") @DurationMin(nanos = 0) Duration retryAfterMax) {

    public RetryProperties {
        delays = List.copyOf(delays);
    }

    @AssertTrue(message = "ligeiro.webhook.retry.delays must begin with 0s: the first attempt is made at once")
    public boolean isFirstAttemptAtOnce() {
        return delays.isEmpty() || delays.get(0).isZero();
    }

    public RetrySchedule schedule() {
        return new RetrySchedule(delays, jitter);
    }
}
