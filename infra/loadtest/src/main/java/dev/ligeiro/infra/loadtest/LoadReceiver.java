package dev.ligeiro.infra.loadtest;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's HTTP endpoint on the loopback address, on a thread of its own. It checks each webhook and answers 204, but those to two
 * paths, which fail: {@link #HANG} and {@link #DRIP}.
 */
final class LoadReceiver implements AutoCloseable {

    /** The thread's name in the operating system: it separates the receiver's CPU from the generator's. */
    static final String THREAD = "receiver";
    /** Webhooks to this path are never answered: the connection is closed after 15 s. */
    static final String HANG = "/hang";
    /** Webhooks to this path get a byte of the response's head each second, until the sender closes the connection. */
    static final String DRIP = "/drip";

    private static final int HANG_SECONDS = 15;
    private static final byte[] DRIPPED =
            "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /** Payloads stay below 20 kB (Standard Webhooks). */
    private static final int BODY_BYTES_MAX = 32_768;

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(THREAD), EpollIoHandler.newFactory());
    private final Channel server;
    private final RunFaults faults;
    private volatile @Nullable WebhookCheck check;

    LoadReceiver(RunFaults faults) {
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

    String url() {
        return url("/webhooks");
    }

    String url(String path) {
        return "http://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + path;
    }

    /** Later webhooks are checked against this scenario's calls, and finish calls of this load. */
    void expect(String secret, CallJournal journal, Load load) {
        check = new WebhookCheck(secret, journal, load, faults);
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    private final class Endpoint extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (request.uri().startsWith(HANG)) {
                context.executor().schedule(() -> context.close(), HANG_SECONDS, TimeUnit.SECONDS);
                return;
            }
            if (request.uri().startsWith(DRIP)) {
                drip(context, 0);
                return;
            }
            WebhookCheck current = check;
            if (current == null || request.decoderResult().isFailure()) {
                faults.add("webhook that cannot be read", request.uri() + " " + request.decoderResult());
            } else {
                current.accept(request);
            }
            context.writeAndFlush(
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT),
                    context.voidPromise());
        }

        /** Writes below the HTTP codec, which sends whole heads only. */
        private void drip(ChannelHandlerContext context, int index) {
            byte[] next = {DRIPPED[index % DRIPPED.length]};
            context.pipeline()
                    .context(HttpServerCodec.class)
                    .writeAndFlush(Unpooled.wrappedBuffer(next))
                    .addListener((ChannelFutureListener) written -> {
                        if (written.isSuccess()) {
                            context.executor().schedule(() -> drip(context, index + 1), 1, TimeUnit.SECONDS);
                        }
                    });
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
