package dev.ligeiro.infra.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP response of any status. What it expects is met, or an {@link ApiException} shows the request, the status and the body.
 *
 * @param request method and URL, for messages
 * @param after the time from the request to the end of the response
 */
public record Answer(String request, int status, HttpHeaders headers, String body, Duration after) {

    private static final JsonMapper JSON = new JsonMapper();

    static Answer of(HttpResponse<String> response, long sentAtNanos) {
        return new Answer(
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

    /** A member of the JSON body as text; empty when it is missing. */
    public String text(String member) {
        return json().path(member).asString("");
    }

    public Answer expect(int expectedStatus) {
        return require(status == expectedStatus, Integer.toString(expectedStatus));
    }

    public Answer expectSuccess() {
        return require(status / 100 == 2, "2xx");
    }

    /** Expects a problem with all members: those of RFC 9457 §3, {@code code} and {@code request_id}. */
    public Answer expectProblem(int expectedStatus, String code) {
        expect(expectedStatus);
        boolean whole = header("Content-Type").equals("application/problem+json")
                && text("type").equals("urn:ligeiro:problem:" + code)
                && !text("title").isBlank()
                && json().path("status").asInt() == expectedStatus
                && !text("detail").isBlank()
                && !text("detail").contains("Exception")
                && text("instance").startsWith("/")
                && text("code").equals(code)
                && !text("request_id").isBlank()
                && text("request_id").equals(header("X-Request-Id"));
        return require(whole, "the problem " + code + " with all members");
    }

    /** The errors of a problem as {@code field:code}. Fails if the message of one does not begin with "expected". */
    public List<String> fieldErrors() {
        List<String> errors = new ArrayList<>();
        for (JsonNode error : json().path("errors")) {
            require(error.path("message").asString("").startsWith("expected "), "messages that begin with: expected");
            errors.add(error.path("field").asString() + ":" + error.path("code").asString());
        }
        return errors;
    }

    /** The only element of {@code transaction}, in a response to create or show. */
    public JsonNode transaction() {
        JsonNode transactions = json().path("transaction");
        require(transactions.size() == 1, "1 transaction");
        return transactions.required(0);
    }

    /** The id of {@link #transaction}. */
    public String transactionId() {
        return transaction().required("id").asString();
    }

    private Answer require(boolean met, String expected) {
        if (!met) {
            throw new ApiException("%s: status %d (expected: %s): %s".formatted(request, status, expected, body));
        }
        return this;
    }
}
