package dev.ligeiro.dispatcher.http;

import dev.ligeiro.webhook.AllowedNetworks;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The limits of webhook requests.
 *
 * @param allowedNetworks internal addresses and networks that webhooks may reach, with or without TLS
 * @param connectTimeout the limit for opening a TCP connection, without TLS
 * @param totalTimeout the limit from the start of an attempt to the last byte of the response
 * @param answerMax the largest response body that is read; a larger one closes the connection
 * @param inFlightMax the maximum number of running attempts
 * @param inFlightPerEndpointMax the maximum number of running attempts to one endpoint
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
        AllowedNetworks.parse(allowedNetworks);
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

    AllowedNetworks networks() {
        return AllowedNetworks.parse(allowedNetworks);
    }

    private static void requirePositive(String key, Duration span) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException(key + ": " + span + " (expected: > 0)");
        }
    }
}
