package dev.ligeiro.testing.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
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

    /**
     * Reads the spans of an OTLP request in Protobuf ({@code opentelemetry/proto/trace/v1/trace.proto}): only the fields of
     * {@link ReceivedSpan}, so that tests need no Protobuf library.
     */
    static final class OtlpSpans {

        private static final int VARINT = 0;
        private static final int FIXED64 = 1;
        private static final int LENGTH_DELIMITED = 2;
        private static final int FIXED32 = 5;

        /** {@code ExportTraceServiceRequest.resource_spans}, {@code ResourceSpans.scope_spans}, {@code ScopeSpans.spans}. */
        private static final int[] PATH = {1, 2, 2};

        private OtlpSpans() {}

        static List<ReceivedSpan> of(byte[] request) {
            List<ReceivedSpan> spans = new ArrayList<>();
            read(ByteBuffer.wrap(request), 0, spans);
            return spans;
        }

        private static void read(ByteBuffer message, int depth, List<ReceivedSpan> spans) {
            if (depth == PATH.length) {
                spans.add(span(message));
                return;
            }
            while (message.hasRemaining()) {
                int tag = (int) varint(message);
                ByteBuffer value = value(message, tag & 7);
                if (tag >>> 3 == PATH[depth]) {
                    read(value, depth + 1, spans);
                }
            }
        }

        private static ReceivedSpan span(ByteBuffer message) {
            String[] fields = {"", "", "", "", "", ""};
            while (message.hasRemaining()) {
                int tag = (int) varint(message);
                int field = tag >>> 3;
                ByteBuffer value = value(message, tag & 7);
                byte[] bytes = new byte[value.remaining()];
                value.get(bytes);
                if (field == 5) {
                    fields[field] = new String(bytes, StandardCharsets.UTF_8);
                } else if (field < 5) {
                    fields[field] = HexFormat.of().formatHex(bytes);
                }
            }
            return new ReceivedSpan(fields[1], fields[2], fields[4], fields[5]);
        }

        private static ByteBuffer value(ByteBuffer message, int wireType) {
            int length =
                    switch (wireType) {
                        case VARINT -> {
                            varint(message);
                            yield 0;
                        }
                        case FIXED64 -> 8;
                        case LENGTH_DELIMITED -> (int) varint(message);
                        case FIXED32 -> 4;
                        default -> throw new IllegalArgumentException("wire type: " + wireType);
                    };
            ByteBuffer value = message.slice(message.position(), length);
            message.position(message.position() + length);
            return value;
        }

        private static long varint(ByteBuffer message) {
            long value = 0;
            int shift = 0;
            byte next;
            do {
                next = message.get();
                value |= (long) (next & 0x7F) << shift;
                shift += 7;
            } while (next < 0);
            return value;
        }
    }
}
