package dev.ligeiro.dispatcher.lane;

import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The limits of lanes and of their circuit breakers.
 *
 * @param pollInterval the pause between two checks for due lanes
 * @param claimedMax the maximum number of lanes that this process works on at once
 * @param failuresMax the number of failed attempts in a row that opens a breaker; a time-out counts as five
 * @param openMin how long a breaker is open at first; each further opening doubles it
 * @param openMax the longest time that a breaker is open
 * @param slowFor how long an endpoint counts as slow after too many of its first attempts have outlasted the window of a batch
 * @param disableAfter the time without a success after which an endpoint is disabled
 * @param sweepInterval the interval of the search for scheduled deliveries without a lane, and of the metrics of the backlog
 */
@Validated
@ConfigurationProperties("ligeiro.webhook.lane")
public record LaneProperties(
        @DefaultValue("500ms") @DurationMin(millis = 1) Duration pollInterval,
        @DefaultValue("256") @Min(1) int claimedMax,
        @DefaultValue("10") @Min(1) int failuresMax,
        @DefaultValue("5s") @DurationMin(millis = 1) Duration openMin,
        @DefaultValue("5m") @DurationMin(millis = 1) Duration openMax,
        @DefaultValue("10s") @DurationMin(millis = 1) Duration slowFor,
        @DefaultValue("5d") @DurationMin(millis = 1) Duration disableAfter,
        @DefaultValue("15s") @DurationMin(millis = 1) Duration sweepInterval) {

    public Breaker breaker() {
        return new Breaker(failuresMax, openMin, openMax, disableAfter);
    }
}
