package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.AttemptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the state of a delivery after an attempt: final, or scheduled for the next attempt. Pure.
 *
 * @param delays the delay before each attempt; that of the first, 0, is not used
 * @param jitter the fraction by which a delay is made longer or shorter
 */
public record RetrySchedule(List<Duration> delays, double jitter) {

    /**
     * @param attemptsMade the number of attempts, with the last one
     * @param outcome the outcome of the last one
     * @param retryAfter the waiting time that the merchant asked for; null if it asked for none
     * @param jitterFactor a random number, uniform from -1 to 1, that the jitter is multiplied by
     */
    public DeliveryState after(
            int attemptsMade, AttemptOutcome outcome, @Nullable Duration retryAfter, Instant now, double jitterFactor) {
        if (outcome == AttemptOutcome.DELIVERED) {
            return DeliveryState.DELIVERED;
        }
        return attemptsMade >= delays.size()
                ? DeliveryState.EXHAUSTED
                : DeliveryState.scheduled(now.plus(delay(attemptsMade, retryAfter, jitterFactor)));
    }

    /** The longer of the step's delay and the merchant's {@code Retry-After}. */
    private Duration delay(int step, @Nullable Duration retryAfter, double jitterFactor) {
        Duration own = jittered(delays.get(step), jitter, jitterFactor);
        return retryAfter != null && retryAfter.compareTo(own) > 0 ? retryAfter : own;
    }

    /** {@code span} × (1 + {@code jitter} × {@code jitterFactor}), rounded to the millisecond. */
    public static Duration jittered(Duration span, double jitter, double jitterFactor) {
        return Duration.ofMillis(Math.round(span.toMillis() * (1 + jitter * jitterFactor)));
    }
}
