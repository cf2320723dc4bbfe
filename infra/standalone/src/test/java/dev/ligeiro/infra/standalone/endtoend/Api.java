package dev.ligeiro.infra.standalone.endtoend;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** HTTP calls to one address with one bearer token. */
record Api(String baseUrl, String token) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    Answer get(String path) {
        return send(request(path).build());
    }

    /** @param body its {@code toString} is sent as JSON */
    Answer post(String path, Object body) {
        return send(posting(path, body));
    }

    /** Fails where the connection does. */
    CompletableFuture<Answer> postAsync(String path, Object body) {
        long sentAt = System.nanoTime();
        return CLIENT.sendAsync(posting(path, body), BodyHandlers.ofString())
                .thenApply(response -> Answer.of(response, Duration.ofNanos(System.nanoTime() - sentAt)));
    }

    private HttpRequest posting(String path, Object body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(baseUrl + path))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .timeout(ANSWER_WITHIN);
    }

    private static Answer send(HttpRequest request) {
        long sentAt = System.nanoTime();
        try {
            return Answer.of(
                    CLIENT.send(request, BodyHandlers.ofString()), Duration.ofNanos(System.nanoTime() - sentAt));
        } catch (IOException e) {
            throw new AssertionError(request + " got no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
