package dev.ligeiro.gateway.http.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client sends nothing, sends a request too slowly, or does not read its response. A client that has sent a
 * part of a request is answered 408 first, unless it waits for an earlier response. The response is empty;
 * {@link UnreadableHead} makes a problem of it, as of the refusals of the server.
 *
 * <p>It stands behind the HTTP codec and sees decoded messages; {@link #bytes} stands before it. A request only sets fields of
 * {@link RequestPhases} and {@link UnreadResponse}: the one timer of a connection looks at them when the earliest limit could be over. So
 * a request costs no timer, and a body that comes byte by byte has its limit also when no handler reads it.
 */
final class RequestClock extends ChannelDuplexHandler {

    private final RequestPhases phases;
    private final UnreadResponse unread;
    private final long shortestNanos;

    /** Bytes came since the last read was complete. */
    private boolean arrived;
    /** A message came since then. */
    private boolean decoded;

    private @Nullable Future<?> timer;

    RequestClock(ConnectionProperties limits) {
        this.phases = new RequestPhases(limits);
        this.unread = new UnreadResponse(limits);
        this.shortestNanos = Stream.of(
                        limits.headTimeout(), limits.requestTimeout(), limits.idleTimeout(), limits.responseTimeout())
                .mapToLong(Duration::toNanos)
                .min()
                .orElseThrow();
    }

    /** Tells the clock that bytes came, whether or not they complete a message. */
    ChannelHandler bytes() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                arrived = true;
                context.fireChannelRead(message);
            }
        };
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        phases.connected(now(context));
        lookAgain(context, shortestNanos);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        decoded = true;
        if (message instanceof HttpRequest) {
            phases.headReceived(now(context));
        }
        if (message instanceof LastHttpContent) {
            phases.bodyReceived(now(context));
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (arrived && !decoded) {
            phases.partReceived(now(context));
        }
        arrived = false;
        decoded = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            phases.responseBegun();
        }
        if (phases.isResponding() && message instanceof LastHttpContent) {
            phases.responseWritten(now(context));
            LongResponse.end(context.channel());
        }
        context.write(message, promise);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        unread.writabilityChanged(context.channel(), now(context));
        context.fireChannelWritabilityChanged();
    }

    /** A request may begin and end between two looks, so the next look is not later than the shortest limit. */
    private void look(ChannelHandlerContext context) {
        long now = now(context);
        long leftNanos = Math.min(phases.leftNanos(now), unread.leftNanos(context.channel(), now));
        if (leftNanos > 0) {
            lookAgain(context, Math.min(leftNanos, shortestNanos));
        } else if (phases.mayAnswerTimeout()) {
            context.writeAndFlush(empty408()).addListener(ChannelFutureListener.CLOSE);
        } else if (phases.isResponding()) {
            LongResponse.reset(context.channel());
        } else {
            context.close();
        }
    }

    private void lookAgain(ChannelHandlerContext context, long nanos) {
        timer = context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
    }

    private static long now(ChannelHandlerContext context) {
        return context.executor().ticker().nanoTime();
    }

    private static FullHttpResponse empty408() {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_TIMEOUT);
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }
}
