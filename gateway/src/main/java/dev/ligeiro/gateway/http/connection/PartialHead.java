package dev.ligeiro.gateway.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Reports a connection's head or trailers to {@link PartialHeads} when a read ends within them. A request that arrives in one read is not
 * reported. This handler stands behind the HTTP codec and sees decoded messages; {@link #bytes} stands before it.
 */
final class PartialHead extends ChannelInboundHandlerAdapter {

    /** A codec keeps no more of a head. It drops the bytes that follow too many requests ahead, so they must not count. */
    private static final int RECEIVED_MAX = 64 * 1024;

    private final PartialHeads all;

    /** Bytes since the last read that ended between messages. Includes the bytes of complete messages in the same read. */
    private int received;
    /** The codec has begun a head or trailers that it has not handed on. */
    private boolean begun;
    /** A message came since the last read was complete. */
    private boolean decoded;

    private boolean held;

    PartialHead(PartialHeads all) {
        this.all = all;
    }

    /** Call it when the codec makes the headers of a head or trailers. */
    void begin() {
        begun = true;
    }

    ChannelHandler bytes() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof ByteBuf part) {
                    received += part.readableBytes();
                }
                context.fireChannelRead(message);
            }
        };
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        decoded = true;
        if (message instanceof HttpRequest || message instanceof LastHttpContent) {
            begun = false;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (received > 0 && (begun || !decoded)) {
            received = Math.min(received, RECEIVED_MAX);
            held = true;
            all.hold(context.channel(), received);
        } else {
            received = 0;
            release(context);
        }
        decoded = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        release(context);
    }

    private void release(ChannelHandlerContext context) {
        if (held) {
            held = false;
            all.release(context.channel());
        }
    }
}
