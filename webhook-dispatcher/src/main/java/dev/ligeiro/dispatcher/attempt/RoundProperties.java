package dev.ligeiro.dispatcher.attempt;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long a round of attempts is waited for, and how long a process may hold a delivery.
 *
 * @param window how long a batch waits for its attempts; what is not finished then is stored as it stands
 * @param lease how long a process holds a delivery whose attempt is under way; longer than an attempt can take
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
