package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.http.MalformedMessageException;
import dev.ligeiro.infra.loadtest.http.MessageParser;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One keep-alive connection with at most one call under way; connects anew when the gateway has closed it. */
@ChannelHandler.Sharable
final class Connection extends ChannelInboundHandlerAdapter {

    private static final long ANSWER_MAX_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** An answer with a QR image has about 5 kB; of a list page only the start is kept. */
    private static final int KEPT_MAX = 16_384;

    private final Generator generator;
    private final MessageParser answer = new MessageParser(KEPT_MAX);
    private @Nullable ChannelHandlerContext channel;
    private boolean busy;
    private int number;
    private long sentAt;

    Connection(Generator generator) {
        this.generator = generator;
    }

    void send(byte[] request, int callNumber, long now) {
        ChannelHandlerContext open = channel;
        if (open == null) {
            throw new IllegalStateException("a call over a closed connection");
        }
        busy = true;
        number = callNumber;
        sentAt = now;
        ByteBuf bytes = open.alloc().directBuffer(request.length).writeBytes(request);
        open.writeAndFlush(bytes, open.voidPromise());
    }

    MessageParser answer() {
        return answer;
    }

    /** Of the call under way. */
    int number() {
        return number;
    }

    void breakIfOverdue(long now) {
        if (busy && now - sentAt > ANSWER_MAX_NANOS) {
            abort("no answer within 15 s");
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context;
        answer.reset();
        generator.connected(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (answer.accept(bytes.internalNioBuffer(bytes.readerIndex(), bytes.readableBytes()))) {
                complete();
            }
        } catch (MalformedMessageException malformed) {
            abort(String.valueOf(malformed.getMessage()));
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        channel = null;
        if (busy) {
            abort("the gateway closed the connection");
        }
        generator.disconnected(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        abort(cause.toString());
    }

    private void complete() {
        if (!busy) {
            throw new MalformedMessageException("an answer that nobody asked for");
        }
        busy = false;
        generator.answered(this);
        // the next call may be under way already: its answer cannot have come yet
        answer.reset();
    }

    private void abort(String cause) {
        if (busy) {
            busy = false;
            generator.broke(this, cause);
        }
        if (channel != null) {
            channel.close();
        }
    }
}
