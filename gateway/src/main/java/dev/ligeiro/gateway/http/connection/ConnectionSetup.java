package dev.ligeiro.gateway.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.unix.UnixChannelOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
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
}
