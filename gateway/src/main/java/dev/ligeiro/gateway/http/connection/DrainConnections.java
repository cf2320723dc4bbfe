package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.http.connection.ConnectionSetup.ConnectionProperties;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Moves the clients to other gateways before this one stops. When the stop begins, readiness refuses, and from then on each response has
 * {@code Connection: close} and is the last one of its connection. The server still takes connections and requests for
 * {@code ligeiro.http.drain-time}. Only after that time it closes its port and the connections that had no request meanwhile, and
 * waits for the running requests; it would otherwise close connections whose clients are about to send a request.
 *
 * <p>It also ends a connection after the response to a request with {@code Connection: close}. The server itself would close it after
 * whichever response is next when that request arrives, and the client may have sent others before it (RFC 9112 §9.6); so
 * {@link #hiddenClose} stands before the server's handler. This handler stands behind it: the server closes a connection whose response says
 * so.
 */
@Component
@ChannelHandler.Sharable
class DrainConnections extends ChannelOutboundHandlerAdapter implements SmartLifecycle {

    private static final String LAST = "last";

    private final Duration drainTime;
    private volatile boolean draining;
    private volatile boolean running;

    DrainConnections(ConnectionProperties properties) {
        this.drainTime = properties.drainTime();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL
                && (draining || isLast(context.channel()))) {
            HttpUtil.setKeepAlive(response, false);
        }
        context.write(message, promise);
    }

    /** Hides the {@code Connection: close} of a request from the server's handler. */
    static ChannelHandler hiddenClose() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof HttpRequest request
                        && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                        && !HttpUtil.isKeepAlive(request)) {
                    request.headers().set(HttpHeaderNames.CONNECTION, LAST);
                }
                context.fireChannelRead(message);
            }
        };
    }

    /** Whether the response that starts now is to such a request. */
    private static boolean isLast(Channel channel) {
        return ChannelOperations.get(channel) instanceof HttpServerRequest request
                && LAST.equals(request.requestHeaders().get(HttpHeaderNames.CONNECTION));
    }

    @Override
    public void start() {
        running = true;
    }

    /** Its phase is the first one of a stop, in which others stop too; that of the server comes later. */
    @Override
    public void stop(Runnable stopped) {
        draining = true;
        Mono.delay(drainTime).subscribe(over -> {
            running = false;
            stopped.run();
        });
    }

    @Override
    public void stop() {
        draining = true;
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
