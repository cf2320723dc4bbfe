package dev.ligeiro.gateway.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.unix.UnixChannelOption;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;
import reactor.netty.NettyPipeline;

/**
 * Sets up each connection of the public port, in the order in which requests pass: the maximum of connections, the server's HTTP codec,
 * {@link EarlyProblems}, {@link ConnectionLimits}, the server's handler, {@link DrainConnections}. No other class adds handlers.
 */
@Component
class ConnectionSetup implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private static final String PROBLEMS = "early-problems";

    private final ConnectionProperties properties;
    private final EarlyProblems problems;
    private final DrainConnections drain;
    private final AtomicInteger open = new AtomicInteger();

    /** @throws IllegalArgumentException with HTTP/2, whose connections would have none of these handlers */
    ConnectionSetup(
            ConnectionProperties properties,
            EarlyProblems problems,
            DrainConnections drain,
            @Value("${server.http2.enabled:false}") boolean http2) {
        if (http2) {
            throw new IllegalArgumentException(
                    "server.http2.enabled: true (expected: false; a load balancer in front may speak HTTP/2)");
        }
        this.properties = properties;
        this.problems = problems;
        this.drain = drain;
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(
                server -> server.doOnChannelInit((observer, channel, remote) -> setUp(channel))
                        .mapHandle(problems::respondIfUnreadable),
                server -> properties.reusePort() ? server.option(UnixChannelOption.SO_REUSEPORT, true) : server);
    }

    void setUp(Channel channel) {
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        if (open.incrementAndGet() > properties.connectionsMax()) {
            channel.close();
            return;
        }
        ConnectionLimits limits = new ConnectionLimits(properties);
        ChannelPipeline handlers = channel.pipeline();
        handlers.addBefore(NettyPipeline.HttpCodec, "request-bytes", limits.bytes());
        // responses pass from the last handler to the first: the empty 408 of the limits gets its content too
        handlers.addAfter(NettyPipeline.HttpCodec, PROBLEMS, problems);
        handlers.addAfter(PROBLEMS, "connection-limits", limits);
        handlers.addAfter("connection-limits", "hidden-close", DrainConnections.hiddenClose());
        handlers.addAfter(NettyPipeline.HttpTrafficHandler, "drain", drain);
    }

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
            @DefaultValue("5s") @DurationMin(message = "must be at least 0s") @DurationMax(seconds = 10)
                    Duration drainTime,
            @DefaultValue("false") boolean reusePort) {}
}
