package dev.ligeiro.dispatcher.delivery;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP try of a delivery.
 *
 * @param at when it began, to the millisecond
 * @param statusCode the answer's, null when none came
 * @param duration until its end, to the millisecond
 */
public record Attempt(Instant at, AttemptOutcome outcome, @Nullable Integer statusCode, Duration duration) {}
