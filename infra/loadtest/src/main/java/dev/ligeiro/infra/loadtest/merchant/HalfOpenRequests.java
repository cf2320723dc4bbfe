package dev.ligeiro.infra.loadtest.merchant;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections that each send the start of a request, and then a byte of it every five seconds. A connection that the gateway closes is
 * opened again after a second.
 */
public final class HalfOpenRequests implements Abuser {

    private static final String START = "POST /api/v1/transaction/pix/cashin HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    private static final String NEXT = "x";
    private static final int DRIP_SECONDS = 5;

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("half-open"), EpollIoHandler.newFactory());
    private final Outcomes outcomes = new Outcomes();
    private final InetSocketAddress gateway;
    private final int count;

    public HalfOpenRequests(String baseUrl, int count) {
        URI url = URI.create(baseUrl);
        this.gateway = new InetSocketAddress(url.getHost(), url.getPort());
        this.count = count;
        for (int i = 0; i < count; i++) {
            connect();
        }
    }

    private void connect() {
        new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(new Request())
                .connect(gateway)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        outcomes.count("refused");
                        connectLater();
                    }
                });
    }

    private void connectLater() {
        if (!loop.isShuttingDown()) {
            loop.schedule(this::connect, 1, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    @Override
    public String toString() {
        return count + " half-open requests: " + outcomes;
    }

    private final class Request extends ChannelInboundHandlerAdapter {

        private @Nullable Future<?> drip;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            outcomes.count("opened");
            write(context, START);
            drip = context.executor()
                    .scheduleAtFixedRate(() -> write(context, NEXT), DRIP_SECONDS, DRIP_SECONDS, TimeUnit.SECONDS);
        }

        private void write(ChannelHandlerContext context, String text) {
            context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), text), context.voidPromise());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (drip != null) {
                drip.cancel(false);
            }
            outcomes.count("closed by the gateway");
            connectLater();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
