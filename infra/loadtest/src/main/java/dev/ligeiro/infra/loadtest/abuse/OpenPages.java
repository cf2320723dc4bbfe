package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Open checkout pages: a connection each, over which the gateway tells the status of a transaction. When a stream ends, its page connects
 * again after the time that the gateway has told, as browsers do. Pages for which a gateway has no place do so every 20 to 40 s.
 */
final class OpenPages implements AutoCloseable {

    private static final int LINE_MAX = 8_192;
    private static final String DATA = "data:";
    private static final String RETRY = "retry:";
    private static final long RETRY_MILLIS = 3_000;
    /** The length of the last chunk of a response. */
    private static final String END = "0";

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("pages"), EpollIoHandler.newFactory());
    private final Map<String, Long> paidAt = new ConcurrentHashMap<>();
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final AtomicLong reconnected = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final InetSocketAddress gateway;
    private final RunFaults faults;
    private volatile boolean closing;

    OpenPages(URI gateway, RunFaults faults) {
        this.gateway = new InetSocketAddress(gateway.getHost(), gateway.getPort());
        this.faults = faults;
    }

    void open(String id) {
        new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new LineBasedFrameDecoder(LINE_MAX), new Page(id));
                    }
                })
                .connect(gateway);
    }

    /** Pages that were told that their transaction is pending. */
    long pending() {
        return pending.size();
    }

    /** When each page was told that its transaction is paid, by {@link System#nanoTime}. */
    Map<String, Long> paidAt() {
        return Map.copyOf(paidAt);
    }

    @Override
    public void close() {
        closing = true;
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    /** The gateway repeats a status after half a minute of silence. */
    @Override
    public String toString() {
        return repeated + " repeated statuses, " + reconnected + " connections again";
    }

    private final class Page extends SimpleChannelInboundHandler<ByteBuf> {

        private final String id;
        private long retryMillis = RETRY_MILLIS;

        Page(String id) {
            this.id = id;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            String request = "GET /checkout/" + id + "/events HTTP/1.1\r\nHost: " + gateway.getHostString()
                    + "\r\nAccept: text/event-stream\r\n\r\n";
            context.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII), context.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
            String text = line.toString(StandardCharsets.US_ASCII);
            if (text.startsWith("HTTP/1.1 ") && !text.startsWith("HTTP/1.1 200")) {
                faults.add("page without a stream", text);
            } else if (text.equals(END)) {
                context.close();
            } else if (text.startsWith(RETRY)) {
                retryMillis = Long.parseLong(text.substring(RETRY.length()));
            } else if (text.startsWith(DATA)) {
                take(text.substring(DATA.length()));
            }
        }

        private void take(String status) {
            if (status.equals("paid")) {
                paidAt.put(id, System.nanoTime());
            } else if (!pending.add(id)) {
                repeated.incrementAndGet();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!closing && !paidAt.containsKey(id)) {
                reconnected.incrementAndGet();
                loop.schedule(() -> open(id), retryMillis, TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            faults.add("page with a broken connection", cause.toString());
            context.close();
        }
    }
}
