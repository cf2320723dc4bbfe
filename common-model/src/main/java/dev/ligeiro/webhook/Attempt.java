package dev.ligeiro.webhook;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request of a delivery.
 *
 * @param at the start, in milliseconds precision
 * @param statusCode the status code of the response; null without a response
 * @param duration from start to end, stored in milliseconds
 * @param response the beginning of the response's body, as the receiver's text; null without one, after a success, and of an older attempt
 */
public record Attempt(
        Instant at,
        AttemptOutcome outcome,
        @Nullable Integer statusCode,
        Duration duration,
        @Nullable String response) {

    public Attempt(Instant at, AttemptOutcome outcome, @Nullable Integer statusCode, Duration duration) {
        this(at, outcome, statusCode, duration, null);
    }
}
