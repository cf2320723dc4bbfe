package dev.ligeiro.dispatcher.attempt;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The retry schedule of deliveries. Pure.
 *
 * @param delays the delay before each attempt, counted from the previous one; the first entry is 0, since the first attempt is made at
 *     once. The number of entries is the maximum number of attempts
 */
@Validated
@ConfigurationProperties("ligeiro.webhook.retry")
public record RetrySchedule(
        @DefaultValue({"0s", "5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"}) @NotEmpty
                List<@DurationMin(nanos = 0) Duration> delays) {

    /** The upper limit for a merchant's {@code Retry-After}. */
    static final Duration RETRY_AFTER_MAX = Duration.ofHours(24);

    /** Each delay is made longer or shorter at random by up to this part, so that deliveries that failed together are spread. */
    private static final double JITTER = 0.2;

    public RetrySchedule {
        delays = List.copyOf(delays);
    }

    @AssertTrue(message = "ligeiro.webhook.retry.delays must begin with 0s: the first attempt is made at once")
    public boolean isFirstAttemptAtOnce() {
        return delays.isEmpty() || delays.get(0).isZero();
    }

    /**
     * The delay of the next attempt after a failed one; null if that was the last. It is the longer of the step's delay and the merchant's
     * {@code Retry-After}.
     *
     * @param attemptsMade the number of attempts, with the failed one
     * @param retryAfter the waiting time that the merchant asked for; null if it asked for none
     * @param jitterFactor a random number, uniform from -1 to 1, that the jitter is multiplied by
     */
    @Nullable
    Duration next(int attemptsMade, @Nullable Duration retryAfter, double jitterFactor) {
        if (attemptsMade >= delays.size()) {
            return null;
        }
        double millis = delays.get(attemptsMade).toMillis() * (1 + JITTER * jitterFactor);
        Duration own = Duration.ofMillis(Math.round(millis));
        return retryAfter != null && retryAfter.compareTo(own) > 0 ? retryAfter : own;
    }
}
