package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.support.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The bounds of the public port's connections. {@code application.yml} explains each key.
 *
 * @param connectionsMax open at once
 * @param idleTimeout between a response, or the connection's start, and the next request
 * @param requestTimeout from the first byte of a request to its last one
 * @param responseTimeout while a client reads nothing of its response
 * @param longResponseTimeout while a client reads nothing of a {@link LongResponse}
 * @param drainTime from the beginning of a stop until the port is closed
 * @param reusePort whether several gateways of one machine share the port (SO_REUSEPORT): the kernel spreads the connections over them
 */
@ConfigurationProperties("ligeiro.http")
@Validated
record ConnectionProperties(
        @DefaultValue("20000") @Bounds(key = "ligeiro.http.connections-max", min = "1", max = "1000000")
                int connectionsMax,
        @DefaultValue("75s") @Bounds(key = "ligeiro.http.idle-timeout", min = "100ms", max = "1h") Duration idleTimeout,
        @DefaultValue("20s") @Bounds(key = "ligeiro.http.request-timeout", min = "100ms", max = "1h")
                Duration requestTimeout,
        @DefaultValue("30s") @Bounds(key = "ligeiro.http.response-timeout", min = "100ms", max = "1h")
                Duration responseTimeout,
        @DefaultValue("5m") @Bounds(key = "ligeiro.http.long-response-timeout", min = "100ms", max = "1h")
                Duration longResponseTimeout,
        @DefaultValue("5s") @Bounds(key = "ligeiro.http.drain-time", min = "0s", max = "10s") Duration drainTime,
        @DefaultValue("false") boolean reusePort) {}
