package dev.ligeiro.dispatcher.http;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How webhooks are posted, and how many at once.
 *
 * @param allowedNetworks networks (CIDR) that may be reached although they are not public, and without TLS
 * @param connectTimeout until a connection stands, TLS excluded
 * @param totalTimeout from the start of an attempt to the last byte of its answer
 * @param answerMax of an answer's body, read and thrown away; a longer one costs its connection
 * @param inFlightMax attempts under way at once
 * @param inFlightPerEndpointMax attempts under way at once to one endpoint
 */
@ConfigurationProperties("ligeiro.webhook")
public record WebhookProperties(
        @DefaultValue List<String> allowedNetworks,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("15s") Duration totalTimeout,
        @DefaultValue("16KB") DataSize answerMax,
        @DefaultValue("512") int inFlightMax,
        @DefaultValue("20") int inFlightPerEndpointMax) {

    public WebhookProperties {
        allowedNetworks = List.copyOf(allowedNetworks);
        requirePositive("connect-timeout", connectTimeout);
        requirePositive("total-timeout", totalTimeout);
        if (answerMax.toBytes() < 0) {
            throw new IllegalArgumentException("answer-max: " + answerMax + " (expected: >= 0)");
        }
        if (inFlightMax < 1) {
            throw new IllegalArgumentException("in-flight-max: " + inFlightMax + " (expected: >= 1)");
        }
        if (inFlightPerEndpointMax < 1 || inFlightPerEndpointMax > inFlightMax) {
            throw new IllegalArgumentException("in-flight-per-endpoint-max: " + inFlightPerEndpointMax
                    + " (expected: 1 to in-flight-max, " + inFlightMax + ")");
        }
    }

    private static void requirePositive(String key, Duration span) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException(key + ": " + span + " (expected: > 0)");
        }
    }
}
