package dev.ligeiro.infra.bank;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a customer's call gets.
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

    Reply(int status, @Nullable JsonNode body, String contentType) {
        this(status, body, contentType, Map.of(), null);
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
}
