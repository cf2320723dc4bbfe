package dev.ligeiro.gateway.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;

/**
 * Sets up each connection of the public port, in the order in which requests pass: the maximum of connections, {@link RequestClock}
 * and {@link PartialHead}, the HTTP codec of {@link RequestCodec}, {@link TooManyAhead}, {@link UnreadableHead}, the server's handler,
 * {@link DrainConnections}, {@link UnreadableTarget}. No other class adds handlers.
 */
@Component
class ConnectionSetup implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private static final String AHEAD = "too-many-ahead";
    private static final String PROBLEMS = "unreadable-head";

    private final ConnectionProperties properties;
    private final TooManyAhead tooManyAhead = new TooManyAhead();
    private final UnreadableHead unreadableHead;
    private final UnreadableTarget unreadableTarget;
    private final DrainConnections drain;
    private final PartialHeads partialHeads;
    private final AtomicInteger open = new AtomicInteger();

    /** @throws IllegalArgumentException with HTTP/2, whose connections would have none of these handlers */
    ConnectionSetup(
            ConnectionProperties properties,
            EarlyProblems problems,
            DrainConnections drain,
            PartialHeads partialHeads,
            @Value("${server.http2.enabled:false}") boolean http2) {
        if (http2) {
            throw new IllegalArgumentException(
                    "server.http2.enabled: true (expected: false; a load balancer in front may speak HTTP/2)");
        }
        this.properties = properties;
        this.drain = drain;
        this.partialHeads = partialHeads;
        this.unreadableHead = new UnreadableHead(problems);
        this.unreadableTarget = new UnreadableTarget(problems);
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> {
            RequestCodec codec = new RequestCodec(server.configuration());
            return server.doOnChannelInit((observer, channel, remote) -> setUp(channel, codec))
                    .mapHandle(unreadableTarget::respondIfUnreadable);
        });
    }

    void setUp(Channel channel, RequestCodec codec) {
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        if (open.incrementAndGet() > properties.connectionsMax()) {
            channel.close();
            return;
        }
        RequestClock clock = new RequestClock(properties);
        PartialHead partialHead = new PartialHead(partialHeads);
        ChannelPipeline handlers = channel.pipeline();
        handlers.replace(NettyPipeline.HttpCodec, NettyPipeline.HttpCodec, codec.ofConnection(partialHead::begin));
        handlers.addBefore(NettyPipeline.HttpCodec, "request-bytes", clock.bytes());
        handlers.addBefore(NettyPipeline.HttpCodec, "head-bytes", partialHead.bytes());
        handlers.addAfter(NettyPipeline.HttpCodec, AHEAD, tooManyAhead);
        // responses pass from the last handler to the first: the clock's empty 408 becomes a problem too
        handlers.addAfter(AHEAD, PROBLEMS, unreadableHead);
        handlers.addAfter(PROBLEMS, "request-clock", clock);
        handlers.addAfter(PROBLEMS, "partial-head", partialHead);
        handlers.addAfter(NettyPipeline.HttpTrafficHandler, "drain", drain);
    }
}
