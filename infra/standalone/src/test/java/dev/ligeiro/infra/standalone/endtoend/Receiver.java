package dev.ligeiro.infra.standalone.endtoend;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** A merchant's server on the loopback address: takes webhooks of every type, each verified by Standard Webhooks' own library. */
final class Receiver implements AutoCloseable {

    private static final String EVERY_TYPE =
            """
            {"url": "http://127.0.0.1:%d/", "events": ["transaction.created", "transaction.in_process", "transaction.paid",
             "transaction.denied", "transaction.in_analysis", "transaction.canceled", "transaction.expired",
             "transaction.refund"]}
            """;
    private static final JsonMapper JSON = new JsonMapper();
    private static final int THREADS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final HttpServer server;
    private final Webhook webhook;
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();
    private final Queue<String> forged = new ConcurrentLinkedQueue<>();

    /** Registers it and listens. */
    Receiver(Merchant merchant) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            String request = EVERY_TYPE.formatted(server.getAddress().getPort());
            String secret = merchant.api()
                    .post("/api/v1/webhooks", request)
                    .expect(201)
                    .json()
                    .required("secret")
                    .asString();
            webhook = new Webhook(secret);
        } catch (IOException | EmptyWebhookSecretException e) {
            throw new IllegalStateException(e);
        }
        server.createContext("/", this::receive);
        server.setExecutor(threads);
        server.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(take(exchange, body), -1);
        }
    }

    private int take(HttpExchange exchange, String body) {
        try {
            webhook.verify(body, headers(exchange));
            String id = exchange.getRequestHeaders().getFirst("webhook-id");
            received.add(new Received(id, JSON.readTree(body)));
            return 204;
        } catch (WebhookVerificationException e) {
            forged.add(e.getMessage() + ": " + body);
            return 400;
        }
    }

    /** The server writes names its own way; the library wants them as they were sent. */
    private static Map<String, List<String>> headers(HttpExchange exchange) {
        return exchange.getRequestHeaders().entrySet().stream()
                .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
    }

    /** All that came so far, repeats included. */
    List<Received> received() {
        return new ArrayList<>(received);
    }

    /** What came of one transaction, by sequence: webhooks may overtake each other. */
    List<Received> of(String transactionId) {
        return received.stream()
                .filter(each -> each.transaction().id().equals(transactionId))
                .sorted(Comparator.comparingInt(Received::sequence))
                .toList();
    }

    /** What came with a wrong signature, or none. */
    List<String> forged() {
        return new ArrayList<>(forged);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
