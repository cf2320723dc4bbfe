package dev.ligeiro.infra.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends JSON over HTTP/1.1 and returns the response, also one with an error status. The time-out of a call is 30 s.
 *
 * @param baseUrl scheme, host and port
 * @param token the bearer token of each call; null for none
 */
public record JsonApi(String baseUrl, @Nullable String token) {

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    public JsonAnswer get(String path) {
        return send(request(path));
    }

    /** @param body see {@link #json} */
    public JsonAnswer post(String path, Object body) {
        return send(json("POST", path, body));
    }

    /** A POST without a body. */
    public JsonAnswer post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** Completes with a {@link CompletionException}, caused by an {@link IOException}, when there is no response. */
    public CompletableFuture<JsonAnswer> postAsync(String path, Object body) {
        long sentAt = System.nanoTime();
        return CLIENT.sendAsync(json("POST", path, body).build(), BodyHandlers.ofString())
                .thenApply(response -> JsonAnswer.of(response, sentAt));
    }

    /**
     * A request with a body. The caller may add headers before {@link #send}.
     *
     * @param body a string is sent as it is, anything else as Jackson writes it
     */
    public HttpRequest.Builder json(String method, String path, Object body) {
        String text = body instanceof String raw ? raw : JSON.writeValueAsString(body);
        return request(path).header("Content-Type", "application/json").method(method, BodyPublishers.ofString(text));
    }

    /**
     * A GET. The caller may change it before {@link #send}.
     *
     * @param path of the API, or a whole URL
     */
    public HttpRequest.Builder request(String path) {
        URI uri = URI.create(path.startsWith("http") ? path : baseUrl + path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(ANSWER_MAX).header("Accept", "application/json");
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    /** @throws ApiException when there is no response */
    public static JsonAnswer send(HttpRequest.Builder request) {
        HttpRequest ready = request.build();
        long sentAt = System.nanoTime();
        try {
            return JsonAnswer.of(CLIENT.send(ready, BodyHandlers.ofString()), sentAt);
        } catch (IOException e) {
            throw new ApiException("%s %s: no answer: %s".formatted(ready.method(), ready.uri(), e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException("%s %s: interrupted".formatted(ready.method(), ready.uri()), e);
        }
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "JsonApi[" + baseUrl + "]";
    }
}
