package dev.ligeiro.gateway.connection;

import java.time.Duration;
import org.hibernate.validator.constraints.Range;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The bounds of the public port's connections. {@code application.yml} explains each key.
 *
 * @param connectionsMax open at once
 * @param idleTimeout between a response, or the connection's start, and the next request
 * @param headTimeout from the first byte of a request to the end of its headers
 * @param requestTimeout from the first byte of a request to its last one
 * @param responseTimeout while a client reads nothing of its response
 * @param longResponseTimeout while a client reads nothing of a {@link LongResponse}
 */
@ConfigurationProperties("ligeiro.http")
@Validated
record ConnectionProperties(
        @DefaultValue("20000")
                @Range(
                        min = 1,
                        max = 1_000_000,
                        message = "ligeiro.http.connections-max: ${validatedValue} (expected: 1 to 1000000)")
                int connectionsMax,
        @DefaultValue("75s")
                @DurationMin(millis = 100, message = "ligeiro.http.idle-timeout: " + ConnectionProperties.SPAN)
                @DurationMax(hours = 1, message = "ligeiro.http.idle-timeout: " + ConnectionProperties.SPAN)
                Duration idleTimeout,
        @DefaultValue("10s")
                @DurationMin(millis = 100, message = "ligeiro.http.head-timeout: " + ConnectionProperties.SPAN)
                @DurationMax(hours = 1, message = "ligeiro.http.head-timeout: " + ConnectionProperties.SPAN)
                Duration headTimeout,
        @DefaultValue("20s")
                @DurationMin(millis = 100, message = "ligeiro.http.request-timeout: " + ConnectionProperties.SPAN)
                @DurationMax(hours = 1, message = "ligeiro.http.request-timeout: " + ConnectionProperties.SPAN)
                Duration requestTimeout,
        @DefaultValue("30s")
                @DurationMin(millis = 100, message = "ligeiro.http.response-timeout: " + ConnectionProperties.SPAN)
                @DurationMax(hours = 1, message = "ligeiro.http.response-timeout: " + ConnectionProperties.SPAN)
                Duration responseTimeout,
        @DefaultValue("5m")
                @DurationMin(millis = 100, message = "ligeiro.http.long-response-timeout: " + ConnectionProperties.SPAN)
                @DurationMax(hours = 1, message = "ligeiro.http.long-response-timeout: " + ConnectionProperties.SPAN)
                Duration longResponseTimeout) {

    static final String SPAN = "${validatedValue} (expected: 100ms to 1h)";
}
