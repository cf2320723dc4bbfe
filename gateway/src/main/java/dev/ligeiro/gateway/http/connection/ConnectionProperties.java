package dev.ligeiro.gateway.http.connection;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
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
 * @param requestTimeout from the first byte of a request to its last one
 * @param drainTime from the beginning of a stop until the port is closed
 * @param reusePort whether several gateways of one machine share the port (SO_REUSEPORT): the kernel spreads the connections over them
 */
@ConfigurationProperties("ligeiro.http")
@Validated
record ConnectionProperties(
        @DefaultValue("20000") @Min(1) @Max(1_000_000) int connectionsMax,
        @DefaultValue("75s") @DurationMin(millis = 100) @DurationMax(hours = 1) Duration idleTimeout,
        @DefaultValue("20s") @DurationMin(millis = 100) @DurationMax(hours = 1) Duration requestTimeout,
        @DefaultValue("5s") @DurationMin(message = "must be at least 0s") @DurationMax(seconds = 10) Duration drainTime,
        @DefaultValue("false") boolean reusePort) {}
