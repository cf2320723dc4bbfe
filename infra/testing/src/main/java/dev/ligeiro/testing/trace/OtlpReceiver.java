package dev.ligeiro.testing.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Receives spans over OTLP/HTTP on a free port of the loopback address. */
public final class OtlpReceiver implements AutoCloseable {

    private final HttpServer server;
    private final Queue<ReceivedSpan> spans = new ConcurrentLinkedQueue<>();

    public OtlpReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    /** Settings of a service that sends every trace here, at once. */
    public List<String> settings() {
        return List.of(
                "management.opentelemetry.tracing.export.otlp.endpoint=http://127.0.0.1:"
                        + server.getAddress().getPort() + "/v1/traces",
                "management.opentelemetry.tracing.export.schedule-delay=100ms",
                "management.tracing.sampling.probability=1.0");
    }

    public List<ReceivedSpan> spans() {
        return List.copyOf(spans);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            spans.addAll(OtlpSpans.of(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
