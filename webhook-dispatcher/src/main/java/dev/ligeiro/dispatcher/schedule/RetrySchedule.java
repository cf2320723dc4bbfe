package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch.Failed;
import dev.ligeiro.dispatcher.delivery.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows from an attempt: the end, or the time of the next one. Pure.
 *
 * @param delays before each attempt, the first one's first
 * @param jitter by which part of itself a delay may be longer or shorter
 * @param retryAfterMax a longer {@code Retry-After} counts as this
 */
record RetrySchedule(List<Duration> delays, double jitter, Duration retryAfterMax) {

    /** @param jitterFactor evenly spread over -1 to 1: which part of the jitter applies */
    Verdict after(CompletedDispatch completed, Instant now, double jitterFactor) {
        if (!(completed instanceof Failed failed)) {
            return Verdict.DELIVERED;
        }
        if (failed.attempt().outcome().permanent()) {
            return Verdict.CANCELED;
        }
        int attemptsMade = failed.dispatch().attempts().size() + 1;
        return attemptsMade >= delays.size()
                ? Verdict.EXHAUSTED
                : Verdict.scheduled(now.plus(delay(attemptsMade, failed.retryAfter(), jitterFactor)));
    }

    /** The step's own delay, or what the merchant asked for when that is longer. */
    private Duration delay(int step, @Nullable Duration retryAfter, double jitterFactor) {
        Duration own = jittered(delays.get(step), jitter, jitterFactor);
        if (retryAfter == null) {
            return own;
        }
        Duration asked = retryAfter.compareTo(retryAfterMax) > 0 ? retryAfterMax : retryAfter;
        return asked.compareTo(own) > 0 ? asked : own;
    }

    /** {@code span} longer or shorter by at most {@code part} of itself, to the millisecond. */
    static Duration jittered(Duration span, double part, double jitterFactor) {
        return Duration.ofMillis(Math.round(span.toMillis() * (1 + part * jitterFactor)));
    }
}
