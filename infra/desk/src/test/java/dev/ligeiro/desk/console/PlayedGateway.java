package dev.ligeiro.desk.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server that answers each operation of the public API with the example of its description, unless the test says otherwise. So the pages
 * read what the gateway promises, without a gateway.
 */
final class PlayedGateway implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Path DESCRIPTION = Path.of("../../gateway/src/main/resources/openapi");

    private final Map<String, Reply> examples = examples();
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    /** @param json the body, as text or as what Jackson writes */
    record Reply(int status, String json) {}

    /** @param operation such as {@code GET /api/v1/webhooks} */
    record Request(String operation, @Nullable String query, String token, String once, String address, String body) {}

    PlayedGateway(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** @param operation method and path, where {@code *} stands for a part of the path */
    PlayedGateway reply(String operation, int status, Object json) {
        replies.put(operation, new Reply(status, json instanceof String text ? text : JSON.writeValueAsString(json)));
        return this;
    }

    /** The example of an operation, to change members of it. */
    @SuppressWarnings("unchecked")
    Map<String, Object> example(String operation) {
        Reply example = examples.get(operation);
        if (example == null) {
            throw new AssertionError("no example for " + operation + " in " + examples.keySet());
        }
        return JSON.readValue(example.json, LinkedHashMap.class);
    }

    List<Request> requests(String operation) {
        return requests.stream()
                .filter(request -> matches(operation, request.operation))
                .toList();
    }

    /** Forgets requests and replies. */
    void reset() {
        requests.clear();
        replies.clear();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String operation =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        requests.add(new Request(
                operation,
                exchange.getRequestURI().getQuery(),
                header(exchange, "Authorization"),
                header(exchange, "Idempotency-Key"),
                header(exchange, "X-Forwarded-For"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Reply reply = find(replies, operation);
        if (reply == null) {
            reply = find(examples, operation);
        }
        if (reply == null) {
            reply = new Reply(404, "{\"code\":\"not_found\"}");
        }
        byte[] body = reply.json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", operation.endsWith(".csv") ? "text/csv" : "application/json");
        exchange.sendResponseHeaders(reply.status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    /** A pattern without a part for any value goes first. */
    private static @Nullable Reply find(Map<String, Reply> replies, String operation) {
        Reply exact = replies.get(operation);
        return exact != null
                ? exact
                : replies.entrySet().stream()
                        .filter(each -> matches(each.getKey(), operation))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(null);
    }

    private static boolean matches(String pattern, String operation) {
        return operation.matches(
                pattern.replace(".", "\\.").replace("*", "[^/]+").replaceAll("\\{[a-z_]+}", "[^/]+"));
    }

    private static Map<String, Reply> examples() {
        Map<String, Reply> examples = new LinkedHashMap<>();
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(2_000);
        try (Stream<Path> files = Files.list(DESCRIPTION)) {
            for (Path file : files.sorted().toList()) {
                Map<String, Object> document = new Yaml(options).load(Files.readString(file));
                member(document, "paths")
                        .forEach((path, methods) -> map(methods).forEach((method, operation) -> {
                            Reply example = example(map(operation));
                            if (example != null) {
                                examples.put(method.toUpperCase(Locale.ROOT) + " " + path, example);
                            }
                        }));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        examples.putIfAbsent(
                "GET /api/v1/platforms",
                new Reply(200, "{\"platforms\":[{\"id\":\"p\",\"name\":\"web\"}],\"next_cursor\":null}"));
        return examples;
    }

    private static @Nullable Reply example(Map<String, Object> operation) {
        for (Map.Entry<String, Object> response : member(operation, "responses").entrySet()) {
            int status = Integer.parseInt(response.getKey());
            Map<String, Object> content = member(map(response.getValue()), "content");
            Map<String, Object> json = member(content, "application/json");
            Object example = json.containsKey("example")
                    ? json.get("example")
                    : member(json, "examples").values().stream()
                            .map(each -> map(each).get("value"))
                            .findFirst()
                            .orElse(null);
            if (status < 300) {
                return new Reply(status, status == 204 || example == null ? "" : JSON.writeValueAsString(example));
            }
        }
        return null;
    }

    private static Map<String, Object> member(Map<String, Object> of, String name) {
        return of.containsKey(name) ? map(of.get(name)) : Map.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return value instanceof Map<?, ?> ? (Map<String, Object>) value : Map.of();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
