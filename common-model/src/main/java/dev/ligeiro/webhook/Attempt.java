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
 */
public record Attempt(Instant at, AttemptOutcome outcome, @Nullable Integer statusCode, Duration duration) {}
