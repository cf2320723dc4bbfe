package dev.ligeiro.infra.bank;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to a call.
 *
 * @param body null for none
 * @param distortion how the body is spoiled; null for not at all
 */
record Reply(
        int status,
        @Nullable JsonNode body,
        String contentType,
        Map<String, String> headers,
        Faults.@Nullable Kind distortion) {

    static final String JSON = "application/json";
    static final String PROBLEM = "application/problem+json";

    private static final int HUGE_BYTES = 10_000_000;

    Reply(int status, @Nullable JsonNode body, String contentType) {
        this(status, body, contentType, Map.of(), null);
    }

    /** An object of names and values in turn. A value that is null is left out. */
    static ObjectNode json(@Nullable Object... namesAndValues) {
        ObjectNode json = Book.JSON.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                json.set(
                        String.valueOf(namesAndValues[i]),
                        Book.JSON.valueToTree(value instanceof Instant ? value.toString() : value));
            }
        }
        return json;
    }

    static Reply ok(JsonNode body) {
        return new Reply(200, body, JSON);
    }

    static Reply created(JsonNode body) {
        return new Reply(201, body, JSON);
    }

    static Reply empty(int status) {
        return new Reply(status, null, JSON);
    }

    Reply withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Reply(status, body, contentType, more, distortion);
    }

    Reply distorted(Faults.Kind kind) {
        return new Reply(status, body, contentType, headers, kind);
    }

    void write(HttpExchange exchange) throws IOException {
        String text = body == null ? "" : body.toString();
        byte[] bytes = (distortion == null ? text : distorted(text, distortion)).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", contentType);
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String distorted(String text, Faults.Kind kind) {
        return switch (kind) {
            case BROKEN_JSON -> text.substring(0, text.length() / 2);
            case HUGE_ANSWER -> text.replaceFirst("\\{", "{\"padding\":\"" + "x".repeat(HUGE_BYTES) + "\",");
            case UNKNOWN_STATUS -> text.replaceAll("\"status\":\"[A-Z_]+\"", "\"status\":\"EM_ANALISE_NOVA\"");
            case NUMBER_AMOUNT -> text.replaceAll("\"(\\d+\\.\\d{2})\"", "$1");
            case TIME_WITHOUT_ZONE -> text.replaceAll("(\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?)Z\"", "$1\"");
            case OTHER_ID ->
                text.replaceAll("\"(txid|idEnvio|id)\":\"[0-9a-f]{32}\"", "\"$1\":\"" + "0".repeat(32) + "\"");
            case MANY_PAGES -> text.replaceAll("(\"quantidadeDePaginas\"):\\d+", "$1:2147483647");
            default -> throw new IllegalArgumentException(kind + " distorts nothing");
        };
    }
}
