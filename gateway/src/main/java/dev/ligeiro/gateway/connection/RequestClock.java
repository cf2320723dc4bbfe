package dev.ligeiro.gateway.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
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
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client sends nothing, sends a request too slowly, or does not read its response. A client that has sent a
 * part of a request is answered 408 first, unless it waits for an earlier response. The response is empty;
 * {@link UnreadableHead} makes a problem of it, as of the refusals of the server.
 *
 * <p>It stands behind the HTTP codec and sees decoded messages; {@link #bytes} stands before it. A request only sets fields: the one
 * timer of a connection looks at them when the earliest limit could be over. So a request costs no timer, and a body that comes byte by
 * byte has its limit also when no handler reads it.
 */
final class RequestClock extends ChannelDuplexHandler {

    /** What the connection waits for. */
    private enum Phase {
        /** The first byte of a request. */
        IDLE,
        /** The end of a request's headers. */
        HEAD,
        /** The end of a request's body. */
        BODY,
        /** A response. */
        RESPONSE
    }

    private final ConnectionProperties limits;
    private Phase phase = Phase.IDLE;
    private long sinceNanos;
    /** When the client last took a part of its response, as far as looks have shown it. */
    private long readNanos;

    private long unsentBytes;
    /** Requests whose headers have been decoded and whose response has not been written. */
    private int unanswered;

    private boolean arrived;
    private boolean decoded;
    private boolean responding;
    private @Nullable Future<?> timer;

    RequestClock(ConnectionProperties limits) {
        this.limits = limits;
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
        begin(Phase.IDLE, context);
        lookAgain(context, shortestNanos());
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
            if (phase == Phase.HEAD) {
                phase = Phase.BODY;
            } else {
                begin(Phase.BODY, context);
            }
            unanswered++;
        }
        if (message instanceof LastHttpContent) {
            awaitResponse(context);
        }
        context.fireChannelRead(message);
    }

    /** Bytes between two requests that are no message yet are the first part of the headers. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (arrived && !decoded && (phase == Phase.IDLE || phase == Phase.RESPONSE)) {
            begin(Phase.HEAD, context);
        }
        arrived = false;
        decoded = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            responding = true;
        }
        if (responding && message instanceof LastHttpContent) {
            responding = false;
            unanswered--;
            LongResponse.end(context.channel());
            if (phase == Phase.RESPONSE) {
                awaitResponse(context);
            }
        }
        context.write(message, promise);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        readNanos = now(context);
        unsentBytes = unsentBytes(context);
        context.fireChannelWritabilityChanged();
    }

    private void awaitResponse(ChannelHandlerContext context) {
        begin(unanswered > 0 ? Phase.RESPONSE : Phase.IDLE, context);
    }

    private void begin(Phase next, ChannelHandlerContext context) {
        phase = next;
        sinceNanos = now(context);
    }

    private static long now(ChannelHandlerContext context) {
        return context.executor().ticker().nanoTime();
    }

    private void look(ChannelHandlerContext context) {
        long leftNanos = leftNanos(context, now(context));
        if (leftNanos > 0) {
            lookAgain(context, leftNanos);
        } else if (phase == Phase.HEAD && unanswered == 0 || phase == Phase.BODY && unanswered == 1 && !responding) {
            context.writeAndFlush(empty408()).addListener(ChannelFutureListener.CLOSE);
        } else if (responding) {
            LongResponse.reset(context.channel());
        } else {
            context.close();
        }
    }

    private static FullHttpResponse empty408() {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_TIMEOUT);
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }

    private void lookAgain(ChannelHandlerContext context, long nanos) {
        timer = context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
    }

    /** Until a limit is over, or until that of a later phase could be: a request may begin and end between two looks. */
    private long leftNanos(ChannelHandlerContext context, long now) {
        long left = Math.min(shortestNanos(), unreadLeftNanos(context, now));
        Duration limit =
                switch (phase) {
                    case IDLE -> limits.idleTimeout();
                    case HEAD -> limits.headTimeout();
                    case BODY -> limits.requestTimeout();
                    case RESPONSE -> null;
                };
        return limit == null ? left : Math.min(left, sinceNanos + limit.toNanos() - now);
    }

    /**
     * A client that reads slowly leaves the channel unwritable, but the unsent bytes become fewer. A long response waits for the last of
     * them, when the channel is writable again.
     */
    private long unreadLeftNanos(ChannelHandlerContext context, long now) {
        long unsent = unsentBytes(context);
        if (unsent != unsentBytes) {
            unsentBytes = unsent;
            readNanos = now;
        }
        boolean isLong = LongResponse.runsOn(context.channel());
        if (context.channel().isWritable() && !(isLong && unsent > 0)) {
            return Long.MAX_VALUE;
        }
        Duration limit = isLong ? limits.longResponseTimeout() : limits.responseTimeout();
        return readNanos + limit.toNanos() - now;
    }

    private static long unsentBytes(ChannelHandlerContext context) {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    private long shortestNanos() {
        return Math.min(
                Math.min(limits.headTimeout().toNanos(), limits.requestTimeout().toNanos()),
                Math.min(
                        limits.idleTimeout().toNanos(), limits.responseTimeout().toNanos()));
    }
}
