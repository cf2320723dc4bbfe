package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What came back.
 *
 * @param after the time until then
 */
record Answer(int status, String retryAfter, String body, Duration after) {

    private static final JsonMapper JSON = new JsonMapper();

    static Answer of(HttpResponse<String> response, Duration after) {
        String retryAfter = response.headers().firstValue("Retry-After").orElse("");
        return new Answer(response.statusCode(), retryAfter, response.body(), after);
    }

    Answer expect(int expected) {
        assertThat(status).as(body).isEqualTo(expected);
        return this;
    }

    JsonNode json() {
        return JSON.readTree(body);
    }

    /** The one transaction of an answer (specification §4.1 to §4.3). */
    Shown transaction() {
        JsonNode transactions = json().path("transaction");
        assertThat(transactions.size()).as(body).isEqualTo(1);
        return new Shown(transactions.path(0));
    }
}
