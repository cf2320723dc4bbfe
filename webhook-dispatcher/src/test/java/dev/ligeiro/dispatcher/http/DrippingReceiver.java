package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A server that answers with a given start, then a byte every 100 ms, until the client closes the connection. */
final class DrippingReceiver implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private final CountDownLatch closed = new CountDownLatch(1);

    DrippingReceiver(String start) throws IOException {
        threads.execute(() -> accept(start));
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    boolean awaitClosed(Duration timeout) throws InterruptedException {
        return closed.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void accept(String start) {
        try {
            Socket socket = server.accept();
            OutputStream out = socket.getOutputStream();
            out.write(start.getBytes(StandardCharsets.US_ASCII));
            threads.scheduleAtFixedRate(() -> drip(socket, out), 0, 100, TimeUnit.MILLISECONDS);
        } catch (IOException ended) {
            closed.countDown();
        }
    }

    private void drip(Socket socket, OutputStream out) {
        try {
            out.write('H');
            out.flush();
        } catch (IOException reset) {
            closed.countDown();
            // ends the schedule
            throw new IllegalStateException("the client has closed " + socket, reset);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        server.close();
    }
}
