package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A server that answers each connection with a given start, then a byte every 50 ms, until the client closes it. */
final class DrippingReceiver implements AutoCloseable {

    private static final int PERIOD_MS = 50;

    private final byte[] start;
    private final ServerSocket server;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();

    DrippingReceiver(String start) throws IOException {
        this(start, ServerSocketFactory.getDefault());
    }

    DrippingReceiver(String start, ServerSocketFactory sockets) throws IOException {
        this.server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.start = start.getBytes(StandardCharsets.US_ASCII);
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    int accepted() {
        return accepted.get();
    }

    /** The connections that are open now, as far as the last bytes have shown. */
    int open() {
        return open.get();
    }

    int mostOpen() {
        return mostOpen.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                accepted.incrementAndGet();
                mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
                OutputStream out = socket.getOutputStream();
                threads.execute(() -> write(out, start));
                threads.scheduleAtFixedRate(
                        () -> write(out, new byte[] {'H'}), PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
            }
        } catch (IOException closed) {
            // the end of the test
        }
    }

    private void write(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException reset) {
            open.decrementAndGet();
            // ends the schedule
            throw new IllegalStateException("the client has closed the connection", reset);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        server.close();
    }
}
