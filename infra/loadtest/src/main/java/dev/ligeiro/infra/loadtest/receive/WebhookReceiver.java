package dev.ligeiro.infra.loadtest.receive;

import dev.ligeiro.infra.loadtest.generate.Load;
import dev.ligeiro.infra.loadtest.ledger.Faults;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A merchant's HTTP endpoint on the loopback address that answers 204 to every webhook, on a thread of its own. */
public final class WebhookReceiver implements AutoCloseable {

    /** How the operating system calls its thread: by it the receiver's CPU is told from the generator's. */
    public static final String THREAD = "receiver";

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(THREAD), EpollIoHandler.newFactory());
    private final Channel server;
    private final Faults faults;
    private @Nullable WebhookCheck check;

    public WebhookReceiver(Faults faults) {
        this.faults = faults;
        this.server = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new WebhookConnection(WebhookReceiver.this));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    public String url() {
        return "http://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + "/webhooks";
    }

    /** From now on webhooks are about the calls of this ledger. */
    public void expect(String secret, Naming naming, Ledger ledger) {
        WebhookCheck next = new WebhookCheck(new WebhookSignature(secret), naming, ledger, faults);
        loop.submit(() -> {
                    check = next;
                })
                .syncUninterruptibly();
    }

    /** From now on arrivals count for this load. */
    public void expect(Load load) {
        loop.submit(() -> {
                    if (check != null) {
                        check.expect(load);
                    }
                })
                .syncUninterruptibly();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    void received(WebhookConnection connection) {
        if (check == null) {
            faults.add("webhook before the first call", connection.toString());
        } else {
            check.accept(connection.request());
        }
    }

    void broke(Throwable cause) {
        faults.add("webhook that cannot be read", cause.toString());
    }
}
