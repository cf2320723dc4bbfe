package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.http.connection.ConnectionSetup.ConnectionProperties;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
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
 * Closes a connection whose client sends nothing, sends a request too slowly, or does not read its response. A client that has sent a part of
 * a request is answered 408 first, unless it waits for an earlier response. The 408 is empty; {@link EarlyProblems} gives it its content.
 *
 * <p>It stands behind the HTTP codec and sees decoded messages; {@link #bytes} stands before it. Requests only set fields: the one timer of
 * a connection looks at them when the earliest limit could be over. So a request costs no timer, and a body that comes byte by byte has its
 * limit also when no handler reads it.
 */
final class ConnectionLimits extends ChannelDuplexHandler {

    /** The longest time in which a client reads nothing of its response; noticed up to {@code request-timeout} later. */
    private static final Duration UNREAD_MAX = Duration.ofSeconds(30);

    /**
     * The same for a {@link LongResponse}. A client's system may take 6 MB of an export at once, and more only when the client has read most
     * of it. So a client should read at least 20 kB/s.
     */
    private static final Duration LONG_UNREAD_MAX = Duration.ofMinutes(5);

    private enum Received {
        NOTHING,
        PART_OF_HEAD,
        PART_OF_BODY
    }

    private final ConnectionProperties limits;
    private final long shortestNanos;

    /** The parts of the current request that have arrived. */
    private Received received = Received.NOTHING;
    /** When the current request began; without one, when the last response or the connection did. */
    private long sinceNanos;

    /** Requests without a response. The server handles one at a time, and reads only a few ahead. */
    private int unanswered;

    private boolean responding;

    private boolean nextIsLong;

    /** Of the last response. */
    private Duration unreadMax = UNREAD_MAX;

    private long unsentBytes;
    /** When the client last took a part of its response, as far as looks have shown it. */
    private long readNanos;

    /** Bytes came since the last read was complete. */
    private boolean arrived;
    /** A message came since then. */
    private boolean decoded;

    private @Nullable Future<?> timer;

    ConnectionLimits(ConnectionProperties limits) {
        this.limits = limits;
        this.shortestNanos =
                Math.min(limits.requestTimeout().toNanos(), limits.idleTimeout().toNanos());
    }

    /** The next response of this connection is a {@link LongResponse}. */
    void nextResponseIsLong() {
        nextIsLong = true;
    }

    /** Notes that bytes came, whether or not they complete a message. */
    ChannelHandler bytes() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                arrived |= message instanceof ByteBuf;
                context.fireChannelRead(message);
            }
        };
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        sinceNanos = now(context);
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
            headReceived(now(context));
        }
        if (message instanceof LastHttpContent) {
            bodyReceived(now(context));
        }
        context.fireChannelRead(message);
    }

    /** The limit of a request counts from its first byte, so a body does not begin anew. */
    private void headReceived(long now) {
        if (received == Received.NOTHING) {
            sinceNanos = now;
        }
        received = Received.PART_OF_BODY;
        unanswered++;
    }

    private void bodyReceived(long now) {
        received = Received.NOTHING;
        sinceNanos = now;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (arrived && !decoded && received == Received.NOTHING) {
            received = Received.PART_OF_HEAD;
            sinceNanos = now(context);
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
            unreadMax = nextIsLong ? LONG_UNREAD_MAX : UNREAD_MAX;
            nextIsLong = false;
        }
        if (responding && message instanceof LastHttpContent) {
            responseWritten(now(context));
        }
        context.write(message, promise);
    }

    /** The time of a request that the client sent ahead begins now. A body whose response did not wait for it gets no more time. */
    private void responseWritten(long now) {
        responding = false;
        unanswered--;
        boolean isAnsweredEarly = received == Received.PART_OF_BODY && unanswered == 0;
        if (!isAnsweredEarly) {
            sinceNanos = now;
        }
    }

    /** A request may begin and end between two looks, so the next look is not later than the shortest limit. */
    private void look(ChannelHandlerContext context) {
        long now = now(context);
        long leftNanos = Math.min(leftToSend(now), leftToRead(context.channel(), now));
        if (leftNanos > 0) {
            lookAgain(context, Math.min(leftNanos, shortestNanos));
        } else if (mayAnswerTimeout()) {
            context.writeAndFlush(empty408()).addListener(ChannelFutureListener.CLOSE);
        } else if (responding) {
            LongResponse.reset(context.channel());
        } else {
            context.close();
        }
    }

    /** A client that waits for a response need send nothing: the limit of the route holds. */
    private long leftToSend(long now) {
        boolean isSending = received == Received.PART_OF_BODY && unanswered <= 1
                || received == Received.PART_OF_HEAD && unanswered == 0;
        if (!isSending && unanswered > 0) {
            return Long.MAX_VALUE;
        }
        Duration limit = isSending ? limits.requestTimeout() : limits.idleTimeout();
        return sinceNanos + limit.toNanos() - now;
    }

    /** While a slow client reads, the unsent bytes become fewer, and the limit begins anew. */
    private long leftToRead(Channel channel, long now) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        long unsent = buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
        if (unsent != unsentBytes) {
            unsentBytes = unsent;
            readNanos = now;
        }
        if (unsent == 0) {
            return Long.MAX_VALUE;
        }
        return readNanos + unreadMax.toNanos() - now;
    }

    private boolean mayAnswerTimeout() {
        return received == Received.PART_OF_HEAD && unanswered == 0
                || received == Received.PART_OF_BODY && unanswered == 1 && !responding;
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
