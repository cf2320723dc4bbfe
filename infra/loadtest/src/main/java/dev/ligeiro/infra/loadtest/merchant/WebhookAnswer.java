package dev.ligeiro.infra.loadtest.merchant;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How the receiver answers a webhook. The first part of the URL's path chooses it. */
public enum WebhookAnswer {
    AT_ONCE(0),
    /** Never: the connection is closed after 15 s. */
    HANG(15_000),
    /** A byte of the response's head each second, until the sender closes the connection. */
    DRIP(1_000);

    private static final WebhookAnswer[] ANSWERS = values();
    private static final ByteBuf HEAD = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\n",
            StandardCharsets.US_ASCII));

    private final int millis;

    WebhookAnswer(int millis) {
        this.millis = millis;
    }

    /** Such as {@code /hang}. */
    String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    static WebhookAnswer to(String path) {
        for (WebhookAnswer answer : ANSWERS) {
            if (path.startsWith(answer.path())) {
                return answer;
            }
        }
        throw new IllegalArgumentException("path: " + path + " (expected: /at_once, /hang or /drip)");
    }

    /** Whether the sender gets a 2xx. */
    boolean delivers() {
        return this == AT_ONCE;
    }

    void send(ChannelHandlerContext context) {
        switch (this) {
            case AT_ONCE -> sendNoContent(context);
            case HANG -> context.executor().schedule(() -> context.close(), millis, TimeUnit.MILLISECONDS);
            case DRIP -> drip(context, 0);
        }
    }

    private static void sendNoContent(ChannelHandlerContext context) {
        context.writeAndFlush(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT),
                context.voidPromise());
    }

    /** Writes below the HTTP codec, which sends whole heads only. */
    private void drip(ChannelHandlerContext context, int index) {
        ByteBuf next = Unpooled.copiedBuffer(new byte[] {HEAD.getByte(index % HEAD.capacity())});
        context.pipeline().context(HttpServerCodec.class).writeAndFlush(next).addListener((ChannelFutureListener)
                written -> {
                    if (written.isSuccess()) {
                        context.executor().schedule(() -> drip(context, index + 1), millis, TimeUnit.MILLISECONDS);
                    }
                });
    }
}
