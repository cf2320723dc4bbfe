package dev.ligeiro.gateway.http.html;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * The response of the API to a page.
 *
 * @param json the body; a missing node if it is empty
 */
public record ApiAnswer(int status, HttpHeaders headers, JsonNode json) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static ApiAnswer of(int status, HttpHeaders headers, byte[] body) {
        return new ApiAnswer(status, headers, JSON.readTree(body));
    }

    public boolean isSuccess() {
        return status < 400;
    }

    /** The body as a record, whose components have the names of the members, without underscores. */
    public <T> T as(Class<T> type) {
        return JSON.treeToValue(json, type);
    }

    /** The {@code code} of the problem; {@code ""} on success. */
    public String code() {
        return json.path("code").asString("");
    }

    /** The {@code detail} of the problem; {@code ""} on success. */
    public String detail() {
        return json.path("detail").asString("");
    }

    /** The messages of a 422 by the names of their fields. */
    public Map<String, String> fieldErrors() {
        Map<String, String> errors = new LinkedHashMap<>();
        json.path("errors")
                .forEach(error -> errors.putIfAbsent(
                        error.path("field").asString(""), error.path("message").asString("")));
        return errors;
    }
}
