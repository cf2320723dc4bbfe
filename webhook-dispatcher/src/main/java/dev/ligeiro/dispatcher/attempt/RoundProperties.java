package dev.ligeiro.dispatcher.attempt;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The time limits of a round of attempts.
 *
 * @param window the longest time that a batch waits for its attempts; running attempts are then stored with a lease
 * @param lease the longest time that a process holds a delivery, at least twice the sum of total timeout and window; at most 30 minutes,
 *     because a lease that ends more than an hour from now is taken for the work of a wrong clock
 */
@Validated
@ConfigurationProperties("ligeiro.webhook.round")
public record RoundProperties(
        @DefaultValue("250ms") @DurationMin(millis = 1) Duration window,
        @DefaultValue("60s") @DurationMin(millis = 1) @DurationMax(minutes = 30) Duration lease) {}
