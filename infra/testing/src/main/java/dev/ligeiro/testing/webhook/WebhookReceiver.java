package dev.ligeiro.testing.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A merchant's HTTP server. It records the requests at every path and responds 204, or as set by {@link #behave}. */
public final class WebhookReceiver implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<Received>> received = new ConcurrentHashMap<>();
    private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();

    public WebhookReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** One received request. */
    public record Received(Map<String, List<String>> headers, String body, int remotePort, Instant at) {

        public String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().get(0))
                    .findFirst()
                    .orElse("");
        }
    }

    /** Responds to a request. */
    @FunctionalInterface
    public interface Behaviour {

        /** @param nth 1 for the first request at this path */
        void answer(HttpExchange exchange, int nth) throws IOException;
    }

    public static Behaviour status(int status) {
        return (exchange, nth) -> exchange.sendResponseHeaders(status, -1);
    }

    public static Behaviour status(int status, String header, String value) {
        return (exchange, nth) -> {
            exchange.getResponseHeaders().add(header, value);
            exchange.sendResponseHeaders(status, -1);
        };
    }

    public static Behaviour body(int status, byte[] body) {
        return (exchange, nth) -> {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        };
    }

    /** {@code first} for the first {@code failures} requests, then {@code afterwards}. */
    public static Behaviour firstTimes(int failures, Behaviour first, Behaviour afterwards) {
        return (exchange, nth) -> (nth <= failures ? first : afterwards).answer(exchange, nth);
    }

    /** Waits for {@code latch} before {@code then}, for at most three minutes. */
    public static Behaviour when(CountDownLatch latch, Behaviour then) {
        return (exchange, nth) -> {
            try {
                if (!latch.await(3, TimeUnit.MINUTES)) {
                    throw new IOException("never released");
                }
            } catch (InterruptedException closed) {
                throw new IOException(closed);
            }
            then.answer(exchange, nth);
        };
    }

    /** Closes the connection without a response. */
    public static Behaviour drop() {
        return (exchange, nth) -> {
            throw new IOException("dropped on purpose");
        };
    }

    public void behave(String path, Behaviour behaviour) {
        behaviours.put(path, behaviour);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    public List<Received> received(String path) {
        return received.getOrDefault(path, List.of());
    }

    /** The remote ports of the requests at {@code path}: one for each connection. */
    public Set<Integer> ports(String path) {
        return received(path).stream().map(Received::remotePort).collect(Collectors.toSet());
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        List<Received> here = received.computeIfAbsent(path, any -> new CopyOnWriteArrayList<>());
        int nth;
        synchronized (here) {
            here.add(new Received(
                    Map.copyOf(exchange.getRequestHeaders()),
                    body,
                    exchange.getRemoteAddress().getPort(),
                    Instant.now()));
            nth = here.size();
        }
        @Nullable Behaviour behaviour = behaviours.get(path);
        (behaviour == null ? status(204) : behaviour).answer(exchange, nth);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
