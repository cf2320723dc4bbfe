package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.MerchantApi;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the calls of one scenario, one load after the other, over keep-alive connections with one unanswered call each. Everything
 * runs on the event loop's only thread, to take little CPU from the system under test.
 */
final class Generator implements AutoCloseable {

    /** How late a call may be sent after it was due. Its latency counts from when it was due. */
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
    /** How often a closed loop checks for webhooks, which the receiver's thread counts. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long TICK_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    private static final int CONNECT_MILLIS = 5_000;
    private static final int RESPONSE_BYTES_MAX = 4 << 20;
    private static final long RESPONSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** The headers are those of our own gateway: checking their characters is no part of the audit. */
    private static final HttpDecoderConfig DECODER =
            new HttpDecoderConfig().setMaxChunkSize(RESPONSE_BYTES_MAX).setValidateHeaders(false);

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("generator"), EpollIoHandler.newFactory());
    private final List<Connection> connections = new ArrayList<>();
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final InetSocketAddress gateway;
    private final CallJournal journal;
    private final RunFaults faults;
    private final Requests requests;
    private final ResponseCheck check;
    private @Nullable Load load;
    private Future<?> nextTick = CompletableFuture.completedFuture(null);

    Generator(MerchantApi merchant, int connectionCount, CallJournal journal, RunFaults faults) {
        URI baseUrl = URI.create(merchant.api().baseUrl());
        this.gateway = new InetSocketAddress(baseUrl.getHost(), baseUrl.getPort());
        this.journal = journal;
        this.faults = faults;
        this.requests = new Requests(merchant, journal);
        this.check = new ResponseCheck(journal, requests);
        for (int i = 0; i < connectionCount; i++) {
            Connection connection = new Connection();
            connections.add(connection);
            connection.open();
        }
        loop.scheduleAtFixedRate(() -> connections.forEach(Connection::closeIfOverdue), 1, 1, TimeUnit.SECONDS);
    }

    /** See {@link Requests#read}. */
    void read(int shownMax, int lastPage, List<String> listQueries) {
        requests.read(shownMax, lastPage, listQueries);
    }

    /** Starts a load, which ends by its own schedule. */
    void start(Load next) {
        loop.execute(() -> {
            load = next;
            // the previous load's chain of ticks must end, or there would be two
            nextTick.cancel(false);
            tick();
        });
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    private void tick() {
        long now = makeDueCalls();
        Load current = running();
        if (!current.isOver(now) || !current.isDrained()) {
            long dueAt = current.nextDueAt(now);
            long wait = idle.isEmpty() || dueAt == Long.MAX_VALUE
                    ? POLL_NANOS
                    : Math.max(TICK_NANOS, Math.min(dueAt - now, TICK_NANOS_MAX));
            nextTick = loop.schedule(this::tick, wait, TimeUnit.NANOSECONDS);
        }
    }

    private long makeDueCalls() {
        Load current = running();
        long now = System.nanoTime();
        while (!idle.isEmpty()) {
            long dueAt = current.nextDueAt(now);
            if (dueAt > now) {
                return now;
            }
            Call call = current.make();
            int number = journal.add(call, dueAt);
            idle.removeFirst().send(requests.bytes(call, number), number, now);
            now = System.nanoTime();
        }
        return now;
    }

    private Load running() {
        Load current = load;
        if (current == null) {
            throw new IllegalStateException("a response before the first call");
        }
        return current;
    }

    /** One keep-alive connection with at most one unanswered call. Connects again when the gateway has closed it. */
    private final class Connection extends SimpleChannelInboundHandler<FullHttpResponse> {

        private @Nullable ChannelHandlerContext channel;
        private boolean busy;
        private int number;
        private long sentAt;

        @Override
        public boolean isSharable() {
            return true;
        }

        void open() {
            new Bootstrap()
                    .group(loop)
                    .channel(EpollSocketChannel.class)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                    .option(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(2048, 16_384, 262_144))
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            new HttpResponseDecoder(DECODER),
                                            new HttpObjectAggregator(RESPONSE_BYTES_MAX),
                                            Connection.this);
                        }
                    })
                    .connect(gateway)
                    .addListener(connecting -> {
                        if (!connecting.isSuccess()) {
                            faults.add("no connection to the gateway", String.valueOf(connecting.cause()));
                        }
                    });
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
            idle.addLast(this);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            if (response.decoderResult().isFailure()) {
                fail(String.valueOf(response.decoderResult().cause()));
            } else if (!busy) {
                fail("a response without a call");
            } else {
                busy = false;
                answered(response);
            }
        }

        private void answered(FullHttpResponse response) {
            long now = System.nanoTime();
            Call call = journal.call(number);
            if (check.accept(response, call, number)) {
                running().answered(call, journal.dueAt(number), now);
            } else {
                running().failed();
                faults.add("wrong response to " + call.code(), ResponseCheck.excerpt(response));
            }
            if (HttpUtil.isKeepAlive(response)) {
                idle.addLast(this);
            } else {
                close();
            }
            makeDueCalls();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            channel = null;
            if (busy) {
                fail("the gateway closed the connection");
            }
            idle.remove(this);
            if (!loop.isShuttingDown()) {
                open();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause.toString());
        }

        /** An error of a connection without a call costs no call: it is only closed. */
        private void fail(String cause) {
            if (busy) {
                busy = false;
                running().failed();
                faults.add("call without a response", journal.call(number).code() + ": " + cause);
            }
            close();
        }

        private void close() {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
