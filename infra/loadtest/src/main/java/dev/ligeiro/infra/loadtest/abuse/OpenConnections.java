package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Connections to the gateway that one thread keeps open. They are opened at a steady rate: opening all of them at once would take the CPU of
 * both sides for a moment, and the sender of real abuse has a CPU of its own. One that the gateway closes is opened again after a second.
 */
final class OpenConnections implements AutoCloseable {

    private final IoEventLoopGroup loop;
    private final InetSocketAddress gateway;
    private final Consumer<Channel> initializer;
    private final Outcomes outcomes;

    /**
     * @param perSecond connections opened each second until there are {@code count}
     * @param initializer adds the handlers of a new connection
     */
    OpenConnections(
            String name, String baseUrl, int count, int perSecond, Outcomes outcomes, Consumer<Channel> initializer) {
        URI url = URI.create(baseUrl);
        this.loop = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name), EpollIoHandler.newFactory());
        this.gateway = new InetSocketAddress(url.getHost(), url.getPort());
        this.outcomes = outcomes;
        this.initializer = initializer;
        long intervalMicros = TimeUnit.SECONDS.toMicros(1) / perSecond;
        for (int i = 0; i < count; i++) {
            loop.schedule(this::connect, i * intervalMicros, TimeUnit.MICROSECONDS);
        }
    }

    private void connect() {
        new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Reopen());
                        initializer.accept(channel);
                    }
                })
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

    private final class Reopen extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext context) {
            outcomes.count("opened");
            context.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            outcomes.count("closed by the gateway");
            connectLater();
            context.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
