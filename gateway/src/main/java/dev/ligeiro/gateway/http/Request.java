package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.support.problem.FieldError;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * A request that has passed the checks of its route.
 *
 * @param caller who has sent it, or what it is about: a handler may pass the request on with that
 * @param fields the fields of the body; null for a route without one, see {@link #fields()}. An invalid key is among their errors
 *     already, so that one response names all errors
 * @param key its {@code Idempotency-Key} as it was sent, 1 to 255 printable ASCII characters; quotes, which a structured field has
 *     (RFC 9651), are part of it. Null when not given or invalid, and for a route that takes none
 */
public record Request<C>(ServerRequest http, C caller, @Nullable Fields fields, @Nullable String key) {

    private static final String KEY = "Idempotency-Key";
    private static final int KEY_LENGTH_MAX = 255;

    static <C> Request<C> withoutBody(ServerRequest http, C caller) {
        return new Request<>(http, caller, null, null);
    }

    /** Null when the request has no key. An invalid key is added to the errors of {@code fields}. */
    static @Nullable String key(ServerRequest request, Fields fields) {
        List<String> values = request.headers().header(KEY);
        if (values.isEmpty()) {
            return null;
        }
        if (values.size() > 1) {
            return fields.error(FieldError.invalid(KEY, "expected one header of this name"));
        }
        String key = values.get(0);
        if (key.length() > KEY_LENGTH_MAX) {
            return fields.error(new FieldError(KEY, "too_long", "expected at most " + KEY_LENGTH_MAX + " characters"));
        }
        return !key.isEmpty() && key.chars().allMatch(character -> character >= ' ' && character <= '~')
                ? key
                : fields.error(FieldError.invalid(KEY, "expected 1 to 255 printable ASCII characters"));
    }

    /** The fields of the body. Only the handler of a route with a body may ask for them. */
    @Override
    public Fields fields() {
        return Objects.requireNonNull(fields, "this route has no body");
    }

    public MultiValueMap<String, String> queryParams() {
        return http.queryParams();
    }

    /**
     * The parsed variable of the path.
     *
     * @throws dev.ligeiro.support.problem.Problem {@code notFound} if {@code parse} throws an {@link IllegalArgumentException}
     */
    public <T> T variable(String name, Function<String, T> parse, Supplier<? extends RuntimeException> notFound) {
        try {
            return parse.apply(http.pathVariable(name));
        } catch (IllegalArgumentException malformed) {
            throw notFound.get();
        }
    }

    /** The same request, about the thing that its path names. */
    public <T> Request<T> about(T thing) {
        return new Request<>(http, thing, fields, key);
    }
}
