package dev.ligeiro.infra.loadtest.merchant;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's HTTP endpoint on the loopback address, on a thread of its own. It answers 204 to every webhook, as {@link WebhookAnswer} says
 * for the URL's path.
 */
public final class LoadReceiver implements AutoCloseable {

    /** The thread's name in the operating system: it separates the receiver's CPU from the generator's. */
    public static final String THREAD = "receiver";

    /** Payloads stay below 20 kB (Standard Webhooks). */
    private static final int BODY_BYTES_MAX = 32_768;

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(THREAD), EpollIoHandler.newFactory());
    private final Channel server;
    private final RunFaults faults;
    private volatile @Nullable Consumer<FullHttpRequest> webhooks;

    public LoadReceiver(RunFaults faults) {
        this.faults = faults;
        this.server = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(BODY_BYTES_MAX),
                                        new Endpoint());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    public String url() {
        return url(WebhookAnswer.AT_ONCE);
    }

    /** The URL whose webhooks are answered like this. A caller may append a path. */
    public String url(WebhookAnswer answer) {
        return "http://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + answer.path();
    }

    /** Later webhooks are checked against this scenario's calls, and finish calls of this load. */
    public void expect(String secret, CallJournal journal, Load load) {
        receive(WebhookCheck.finishing(load, secret, journal, faults)::accept);
    }

    /** @param taker of later webhooks that are answered; used by the receiver's thread */
    public void receive(Consumer<FullHttpRequest> taker) {
        webhooks = taker;
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    private final class Endpoint extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            Consumer<FullHttpRequest> taker = webhooks;
            WebhookAnswer answer = WebhookAnswer.to(request.uri());
            if (taker == null || request.decoderResult().isFailure()) {
                faults.add("webhook that cannot be read", request.uri() + " " + request.decoderResult());
            } else if (answer.delivers()) {
                taker.accept(request);
            }
            answer.send(context);
        }

        /** A dispatcher that is stopped resets its connections, which is no fault. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!(cause instanceof IOException)) {
                faults.add("webhook that cannot be read", cause.toString());
            }
            context.close();
        }
    }
}
