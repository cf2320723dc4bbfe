package dev.ligeiro.dispatcher.schedule;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The retry schedule of deliveries, and the polling for due ones.
 *
 * @param delays the delay before each attempt, counted from the previous one; the first entry is for the first attempt. The number
 *     of entries is the maximum number of attempts
 * @param jitter the fraction by which a delay is made longer or shorter at random, from 0 to below 1
 * @param retryAfterMax the upper limit for a merchant's {@code Retry-After}
 * @param pollInterval the pause between two polls, unless the last one was full
 * @param claimMax the maximum number of deliveries that one poll reads and claims
 * @param postponement the delay of a due delivery whose endpoint is at its limit of running attempts
 * @param backlogInterval the interval of the metric of due deliveries
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
