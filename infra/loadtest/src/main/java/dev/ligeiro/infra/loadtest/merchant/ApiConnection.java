package dev.ligeiro.infra.loadtest.merchant;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One keep-alive connection with at most one unanswered call. Connects again when the gateway has closed it. */
@ChannelHandler.Sharable
final class ApiConnection extends SimpleChannelInboundHandler<FullHttpResponse> {

    private static final long RESPONSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final Generator generator;
    private @Nullable ChannelHandlerContext channel;
    private boolean busy;
    private int number;
    private long sentAt;

    ApiConnection(Generator generator) {
        this.generator = generator;
    }

    /** The generator is told when the connection has ended. */
    void close() {
        if (channel != null) {
            channel.close();
        }
    }

    void send(byte[] request, int callNumber, long now) {
        ChannelHandlerContext open = channel;
        if (open == null) {
            throw new IllegalStateException("a call over a closed connection");
        }
        busy = true;
        number = callNumber;
        sentAt = now;
        open.writeAndFlush(open.alloc().directBuffer(request.length).writeBytes(request), open.voidPromise());
    }

    void closeIfOverdue() {
        if (busy && System.nanoTime() - sentAt > RESPONSE_MAX_NANOS) {
            fail("no response within 15 s");
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context;
        generator.connected(this);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
        if (response.decoderResult().isFailure()) {
            fail(String.valueOf(response.decoderResult().cause()));
        } else if (!busy) {
            fail("a response without a call");
        } else {
            busy = false;
            generator.answered(this, number, response);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        channel = null;
        if (busy) {
            fail("the gateway closed the connection");
        }
        generator.disconnected(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause.toString());
    }

    /** An error of a connection without a call costs no call: it is only closed. */
    private void fail(String cause) {
        if (busy) {
            busy = false;
            generator.failed(number, cause);
        }
        close();
    }
}
