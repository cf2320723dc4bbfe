package dev.ligeiro.gateway.http.html;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request of the API that a page makes.
 *
 * @param target path and query, such as {@code /api/v1/transactions?page=2}
 * @param body null for none
 * @param idempotencyKey null for none
 */
public record ApiRequest(HttpMethod method, String target, @Nullable ObjectNode body, @Nullable String idempotencyKey) {

    public static ApiRequest get(String target) {
        return new ApiRequest(HttpMethod.GET, target, null, null);
    }

    public static ApiRequest delete(String target) {
        return new ApiRequest(HttpMethod.DELETE, target, null, null);
    }

    public static ApiRequest post(String target) {
        return new ApiRequest(HttpMethod.POST, target, null, null);
    }

    public static ApiRequest post(String target, ObjectNode body) {
        return new ApiRequest(HttpMethod.POST, target, body, null);
    }

    public static ApiRequest put(String target, ObjectNode body) {
        return new ApiRequest(HttpMethod.PUT, target, body, null);
    }

    public static ApiRequest patch(String target, ObjectNode body) {
        return new ApiRequest(HttpMethod.PATCH, target, body, null);
    }

    /** A text as a part of a path or as a value of a query, whatever characters it has. */
    public static String encoded(String text) {
        return UriUtils.encode(text, StandardCharsets.UTF_8);
    }

    /** The same request with an {@code Idempotency-Key}. */
    public ApiRequest once(String key) {
        return new ApiRequest(method, target, body, key);
    }
}
