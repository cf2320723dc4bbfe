package dev.ligeiro.infra.launcher.endtoend;

import com.standardwebhooks.Webhook;
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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A merchant's endpoint for webhooks of all types, of which a long run sends too many to keep. It checks each when it arrives: its
 * signature, that a repeated webhook announces the same change, and that a change always has the same id.
 */
final class ChangeReceiver implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<Change, Announcement> announced = new ConcurrentHashMap<>();
    private final Map<String, Change> changeOfId = new ConcurrentHashMap<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final BiConsumer<Change, JsonNode> listener;
    private final HttpServer server;
    private final Webhook webhook;

    /** The change of a transaction that has this number. */
    record Change(String transactionId, int sequence) {}

    /** The first webhook about a change. */
    record Announcement(String webhookId, String type, Instant at) {}

    ChangeReceiver(EndToEndMerchant merchant) {
        this(merchant, (change, payload) -> {});
    }

    /**
     * Starts the server and registers its URL at the gateway.
     *
     * @param listener gets the first webhook of each change
     */
    ChangeReceiver(EndToEndMerchant merchant, BiConsumer<Change, JsonNode> listener) {
        this.listener = listener;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        webhook = Receiver.register(
                merchant, "http://127.0.0.1:" + server.getAddress().getPort() + "/");
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            Receiver.verify(webhook, exchange.getRequestHeaders(), body);
            keep(exchange.getRequestHeaders().getFirst("webhook-id"), JSON.readTree(body));
        } catch (AssertionError | RuntimeException e) {
            faults.add(e + ": " + body);
        }
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private void keep(String id, JsonNode payload) {
        JsonNode data = payload.required("data");
        Change change = new Change(
                data.required("id").asString(), data.required("sequence").asInt());
        Announcement arrived = new Announcement(id, payload.required("type").asString(), Instant.now());
        Announcement first = announced.putIfAbsent(change, arrived);
        if (first == null) {
            listener.accept(change, payload);
        } else if (!(first.webhookId().equals(id) && first.type().equals(arrived.type()))) {
            faults.add("%s is announced as %s and as %s".formatted(change, first, arrived));
        }
        Change other = changeOfId.putIfAbsent(id, change);
        if (other != null && !other.equals(change)) {
            faults.add("%s announces %s and %s".formatted(id, other, change));
        }
    }

    /** The changes that were announced so far. */
    Map<Change, Announcement> announced() {
        return announced;
    }

    /** The ids of the webhooks so far. */
    Set<String> ids() {
        return changeOfId.keySet();
    }

    /** What a merchant may not see: wrong signatures, one id for two changes, two ids for one. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
