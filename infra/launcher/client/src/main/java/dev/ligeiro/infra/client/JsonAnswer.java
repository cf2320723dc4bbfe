package dev.ligeiro.infra.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP response of any status.
 *
 * @param request method and URL, for messages
 * @param after the time from the request to the end of the response
 */
public record JsonAnswer(String request, int status, HttpHeaders headers, String body, Duration after) {

    private static final JsonMapper JSON = new JsonMapper();

    static JsonAnswer of(HttpResponse<String> response, long sentAtNanos) {
        return new JsonAnswer(
                response.request().method() + " " + response.request().uri(),
                response.statusCode(),
                response.headers(),
                response.body(),
                Duration.ofNanos(System.nanoTime() - sentAtNanos));
    }

    /** The header's first value; empty when the header is missing. */
    public String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    public JsonNode json() {
        return JSON.readTree(body);
    }

    /** @throws ApiException when the status is not {@code expectedStatus} */
    public JsonAnswer expect(int expectedStatus) {
        if (status != expectedStatus) {
            throw unexpected(Integer.toString(expectedStatus));
        }
        return this;
    }

    /** @throws ApiException when the status is not 2xx */
    public JsonAnswer expectSuccess() {
        if (status / 100 != 2) {
            throw unexpected("2xx");
        }
        return this;
    }

    /** The only element of {@code transaction}, in a response to create or show. */
    public JsonNode transaction() {
        JsonNode transactions = json().path("transaction");
        if (transactions.size() != 1) {
            throw new ApiException(
                    "%s: %d transactions (expected: 1): %s".formatted(request, transactions.size(), body));
        }
        return transactions.required(0);
    }

    private ApiException unexpected(String expected) {
        return new ApiException("%s: status %d (expected: %s): %s".formatted(request, status, expected, body));
    }
}
