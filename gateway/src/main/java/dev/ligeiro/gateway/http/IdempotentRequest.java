package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.support.problem.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * A request that the client may repeat with the same {@code Idempotency-Key}: 1 to 255 printable ASCII characters, space included. The key
 * is the value as it was sent; quotes, which a structured field has (RFC 9651), are part of it.
 *
 * @param fields the fields of the body, none for a route without one. An invalid key is among their errors already, so that one
 *     response names all errors
 * @param key null when not given or invalid
 */
public record IdempotentRequest<C>(ServerRequest http, C caller, Fields fields, @Nullable String key) {

    private static final String HEADER = "Idempotency-Key";
    private static final int LENGTH_MAX = 255;

    static <C> IdempotentRequest<C> of(ServerRequest http, C caller, Fields fields) {
        return new IdempotentRequest<>(http, caller, fields, key(http, fields));
    }

    /** Null when the request has no key. An invalid key is added to the errors of {@code fields}. */
    private static @Nullable String key(ServerRequest request, Fields fields) {
        List<String> values = request.headers().header(HEADER);
        if (values.isEmpty()) {
            return null;
        }
        if (values.size() > 1) {
            return fields.error(FieldError.invalid(HEADER, "expected one header of this name"));
        }
        String key = values.get(0);
        if (key.length() > LENGTH_MAX) {
            return fields.error(new FieldError(HEADER, "too_long", "expected at most " + LENGTH_MAX + " characters"));
        }
        return !key.isEmpty() && key.chars().allMatch(IdempotentRequest::isPrintable)
                ? key
                : fields.error(FieldError.invalid(HEADER, "expected 1 to 255 printable ASCII characters"));
    }

    private static boolean isPrintable(int character) {
        return character >= ' ' && character <= '~';
    }
}
