package dev.ligeiro.dispatcher.attempt;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The time limits of a round of attempts.
 *
 * @param window the longest time that a batch waits for its attempts; running attempts are then stored with a lease
 * @param lease the longest time that a process holds a delivery, at least twice the sum of total timeout and window
 */
@ConfigurationProperties("ligeiro.webhook.round")
public record RoundProperties(@DefaultValue("250ms") Duration window, @DefaultValue("60s") Duration lease) {

    public RoundProperties {
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("window: " + window + " (expected: > 0)");
        }
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease: " + lease + " (expected: > 0)");
        }
    }
}
