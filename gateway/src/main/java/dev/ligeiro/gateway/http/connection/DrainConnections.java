package dev.ligeiro.gateway.http.connection;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Moves the clients to other gateways before this one stops. When the stop begins, readiness refuses, and from then on each response has
 * {@code Connection: close} and is the last one of its connection. The server still takes connections and requests for
 * {@code ligeiro.http.drain-time}. Only after that time it closes its port and the connections that had no request meanwhile, and
 * waits for the running requests; it would otherwise close connections whose clients are about to send a request.
 *
 * <p>It also ends a connection after the response to a request with a {@link HiddenClose}. It stands behind the server's own handler, which closes a
 * connection whose response says so.
 */
@Component
@ChannelHandler.Sharable
class DrainConnections extends ChannelOutboundHandlerAdapter implements SmartLifecycle {

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
                && (draining || HiddenClose.isAnswered(context.channel()))) {
            HttpUtil.setKeepAlive(response, false);
        }
        context.write(message, promise);
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
