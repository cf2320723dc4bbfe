package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Faults;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of one scenario, one load after the other, over keep-alive connections with one call under way each. All of it runs
 * on one thread, that of the event loop: what it costs is taken from the machine under test.
 */
public final class Generator implements AutoCloseable {

    /** How late a call may be made after it was due; its latency counts from when it was due all the same. */
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

    /** How often it is looked whether a closed loop may go on: answers go on by themselves, webhooks come to another thread. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LOOK_FOR_OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int CONNECT_MILLIS = 5_000;

    private final IoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("generator"), EpollIoHandler.newFactory());
    private final List<Connection> connections = new ArrayList<>();
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final Merchant merchant;
    private final Naming naming;
    private final Ledger ledger;
    private final Faults faults;
    private Requests requests;
    private AnswerCheck check;
    private @Nullable Load load;
    private Future<?> nextTick = CompletableFuture.completedFuture(null);
    private long lookForOverdueAt;

    public Generator(Merchant merchant, int connectionCount, Naming naming, Ledger ledger, Faults faults) {
        this.merchant = merchant;
        this.naming = naming;
        this.ledger = ledger;
        this.faults = faults;
        this.requests = new Requests(merchant, naming, ledger, Targets.NONE);
        this.check = new AnswerCheck(ledger, requests);
        for (int i = 0; i < connectionCount; i++) {
            Connection connection = new Connection(this);
            connections.add(connection);
            connect(connection);
        }
    }

    /** From now on reading calls are about these; not while a load is on. */
    public void aimAt(Targets targets) {
        loop.submit(() -> {
                    requests = new Requests(merchant, naming, ledger, targets);
                    check = new AnswerCheck(ledger, requests);
                })
                .syncUninterruptibly();
    }

    /** Starts a load, which ends by itself. */
    public void start(Load next) {
        loop.execute(() -> {
            load = next;
            // one chain of ticks, not another one for each load
            nextTick.cancel(false);
            tick();
        });
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    void answered(Connection connection) {
        long now = System.nanoTime();
        Call call = ledger.call(connection.number());
        Load current = running();
        if (check.accept(connection.answer(), call, connection.number())) {
            current.answered(call, ledger.dueAt(connection.number()), now);
        } else {
            current.failed();
            faults.add("wrong answer to " + call, AnswerCheck.excerpt(connection.answer()));
        }
        idle.addLast(connection);
        makeDueCalls();
    }

    /** The call under way has come to nothing. */
    void broke(Connection connection, String cause) {
        running().failed();
        faults.add("call without an answer", ledger.call(connection.number()) + ": " + cause);
    }

    void disconnected(Connection connection) {
        idle.remove(connection);
        if (!loop.isShuttingDown()) {
            connect(connection);
        }
    }

    void connected(Connection connection) {
        idle.addLast(connection);
    }

    private void connect(Connection connection) {
        new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(2048, 16_384, 262_144))
                .handler(connection)
                .connect(new InetSocketAddress(
                        merchant.baseUrl().getHost(), merchant.baseUrl().getPort()))
                .addListener(connecting -> {
                    if (!connecting.isSuccess()) {
                        faults.add("no connection to the gateway", String.valueOf(connecting.cause()));
                    }
                });
    }

    private void tick() {
        long now = makeDueCalls();
        if (now >= lookForOverdueAt) {
            lookForOverdueAt = now + LOOK_FOR_OVERDUE_NANOS;
            connections.forEach(connection -> connection.breakIfOverdue(now));
        }
        Load current = running();
        if (!current.isOver(now) || !current.isDrained()) {
            nextTick = loop.schedule(this::tick, waitNanos(current, now), TimeUnit.NANOSECONDS);
        }
    }

    /** Until the next call is due; while it depends on a connection or a webhook, a little. */
    private long waitNanos(Load current, long now) {
        long dueAt = current.nextDueAt(now);
        if (idle.isEmpty() || dueAt == Long.MAX_VALUE) {
            return LOOK_NANOS;
        }
        return Math.max(TICK_NANOS, Math.min(dueAt - now, LOOK_FOR_OVERDUE_NANOS));
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
            int number = ledger.open(call, dueAt);
            idle.removeFirst().send(requests.bytes(call, number), number, now);
            now = System.nanoTime();
        }
        return now;
    }

    private Load running() {
        Load current = load;
        if (current == null) {
            throw new IllegalStateException("an answer before the first call");
        }
        return current;
    }
}
