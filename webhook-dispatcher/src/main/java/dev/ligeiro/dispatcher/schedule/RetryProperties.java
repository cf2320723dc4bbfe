package dev.ligeiro.dispatcher.schedule;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When a delivery is attempted again, and how what is due is found.
 *
 * @param delays before each attempt, from the one before; the first is that of the first attempt. Their number is the number of
 *     attempts
 * @param jitter by which part of itself a delay may be longer or shorter
 * @param retryAfterMax the longest {@code Retry-After} that is honoured in full
 * @param pollInterval between two looks for what is due, when the last one found little
 * @param claimMax deliveries looked at, and held, by one look
 * @param postponement how long a due delivery waits when its endpoint has no room
 * @param backlogInterval between two counts of what is due, for the metric
 */
@ConfigurationProperties("ligeiro.webhook.retry")
record RetryProperties(
        @DefaultValue({"0s", "5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"}) List<Duration> delays,
        @DefaultValue("0.2") double jitter,
        @DefaultValue("24h") Duration retryAfterMax,
        @DefaultValue("500ms") Duration pollInterval,
        @DefaultValue("200") int claimMax,
        @DefaultValue("5s") Duration postponement,
        @DefaultValue("15s") Duration backlogInterval) {

    RetryProperties {
        delays = List.copyOf(delays);
        if (delays.isEmpty() || delays.stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("delays: " + delays + " (expected: at least one, none below 0)");
        }
        if (!(jitter >= 0 && jitter < 1)) {
            throw new IllegalArgumentException("jitter: " + jitter + " (expected: >= 0 and < 1)");
        }
        if (retryAfterMax.isNegative()) {
            throw new IllegalArgumentException("retry-after-max: " + retryAfterMax + " (expected: >= 0)");
        }
        if (claimMax < 1) {
            throw new IllegalArgumentException("claim-max: " + claimMax + " (expected: >= 1)");
        }
        requirePositive("poll-interval", pollInterval);
        requirePositive("postponement", postponement);
        requirePositive("backlog-interval", backlogInterval);
    }

    private static void requirePositive(String key, Duration span) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException(key + ": " + span + " (expected: > 0)");
        }
    }
}
