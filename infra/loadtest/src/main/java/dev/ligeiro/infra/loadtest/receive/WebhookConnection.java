package dev.ligeiro.infra.loadtest.receive;

import dev.ligeiro.infra.loadtest.http.Bytes;
import dev.ligeiro.infra.loadtest.http.MalformedMessageException;
import dev.ligeiro.infra.loadtest.http.MessageParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/** A connection of the dispatcher: one webhook after the other. */
final class WebhookConnection extends ChannelInboundHandlerAdapter {

    private static final byte[] NO_CONTENT = Bytes.ascii("HTTP/1.1 204 No Content\r\n\r\n");
    private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(
            Unpooled.directBuffer(NO_CONTENT.length).writeBytes(NO_CONTENT).asReadOnly());
    /** Payloads stay below 20 kB (Standard Webhooks). */
    private static final int KEPT_MAX = 32_768;

    private final WebhookReceiver receiver;
    private final MessageParser request = new MessageParser(KEPT_MAX);

    WebhookConnection(WebhookReceiver receiver) {
        this.receiver = receiver;
    }

    MessageParser request() {
        return request;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (request.accept(bytes.internalNioBuffer(bytes.readerIndex(), bytes.readableBytes()))) {
                receiver.received(this);
                request.reset();
                context.writeAndFlush(ANSWER.duplicate(), context.voidPromise());
            }
        } finally {
            bytes.release();
        }
    }

    /** A dispatcher that is stopped resets its connections: that is no fault of a webhook. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof MalformedMessageException || !(cause instanceof IOException)) {
            receiver.broke(cause);
        }
        context.close();
    }
}
