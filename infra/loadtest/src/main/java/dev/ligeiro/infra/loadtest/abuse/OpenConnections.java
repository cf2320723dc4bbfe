package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the gateway that one thread keeps open, each of which sends a text at a steady rate. They are opened at a steady rate:
 * opening all of them at once would take the CPU of both sides for a moment, and the sender of real abuse has a CPU of its own. One that
 * the gateway closes is opened again after a second.
 */
final class OpenConnections implements Abuser {

    private final String name;
    private final IoEventLoopGroup loop;
    private final InetSocketAddress gateway;
    private final IntFunction<String> texts;
    private final Duration interval;
    private final Outcomes outcomes = new Outcomes();

    /**
     * @param perSecond connections opened each second until there are {@code count}
     * @param texts that a connection sends, by their number from 0
     * @param interval between two texts of a connection
     */
    OpenConnections(
            String name, String baseUrl, int count, int perSecond, IntFunction<String> texts, Duration interval) {
        URI url = URI.create(baseUrl);
        this.name = name;
        this.loop = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name), EpollIoHandler.newFactory());
        this.gateway = new InetSocketAddress(url.getHost(), url.getPort());
        this.texts = texts;
        this.interval = interval;
        long openIntervalMicros = TimeUnit.SECONDS.toMicros(1) / perSecond;
        for (int i = 0; i < count; i++) {
            loop.schedule(this::connect, i * openIntervalMicros, TimeUnit.MICROSECONDS);
        }
    }

    private void connect() {
        new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpResponseDecoder(), new Sender());
                    }
                })
                .connect(gateway)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        connectLater("refused");
                    }
                });
    }

    /** Nothing once this side closes its connections. */
    private void connectLater(String outcome) {
        if (!loop.isShuttingDown()) {
            outcomes.count(outcome);
            loop.schedule(this::connect, 1, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    @Override
    public String toString() {
        return name + ": " + outcomes;
    }

    private final class Sender extends SimpleChannelInboundHandler<HttpObject> {

        private int sent;
        private @Nullable Future<?> texting;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            outcomes.count("opened");
            texting = context.executor()
                    .scheduleAtFixedRate(() -> send(context), 0, interval.toNanos(), TimeUnit.NANOSECONDS);
        }

        private void send(ChannelHandlerContext context) {
            context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), texts.apply(sent++)), context.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (part instanceof HttpResponse response) {
                outcomes.count(Integer.toString(response.status().code()));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (texting != null) {
                texting.cancel(false);
            }
            connectLater("closed by the gateway");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
