package dev.ligeiro.gateway.connection;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;

/**
 * Closes a new connection above the maximum at once, and gives each of the others a {@link RequestClock}. Reactor Netty's own time-outs
 * add and remove handlers and timers for each request, do not bound a body that no handler reads, and know no limit of connections.
 *
 * <p>It comes before the customizers without an order, so that their handlers stand between the codec and the clock and see what the
 * clock sends.
 */
@Component
@Order(0)
class ConnectionLimits implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private final ConnectionProperties properties;
    private final AtomicInteger open = new AtomicInteger();

    /** @throws IllegalArgumentException with HTTP/2, whose connections would have none of these limits */
    ConnectionLimits(ConnectionProperties properties, @Value("${server.http2.enabled:false}") boolean http2) {
        if (http2) {
            throw new IllegalArgumentException(
                    "server.http2.enabled: true (expected: false; a load balancer in front may speak HTTP/2)");
        }
        this.properties = properties;
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.doOnChannelInit((observer, channel, remote) -> limit(channel)));
    }

    private void limit(Channel channel) {
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        if (open.incrementAndGet() > properties.connectionsMax()) {
            channel.close();
        } else if (channel.pipeline().get(NettyPipeline.HttpCodec) != null) {
            // absent with HTTP/2
            RequestClock clock = new RequestClock(properties);
            channel.pipeline().addBefore(NettyPipeline.HttpCodec, "request-bytes", clock.bytes());
            channel.pipeline().addAfter(NettyPipeline.HttpCodec, "request-clock", clock);
        }
    }
}
