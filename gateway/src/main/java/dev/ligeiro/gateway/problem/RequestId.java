package dev.ligeiro.gateway.problem;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * Puts {@code X-Request-Id} on every answer: the caller's own when it is a sane one, else a new one. A decorator and not a
 * {@code WebFilter}: a filter chain costs more than this whole class (RATIONALE.md).
 */
@Component
public final class RequestId implements HttpHandlerDecoratorFactory {

    public static final String HEADER = "X-Request-Id";
    private static final int LENGTH_MAX = 64;

    @Override
    public HttpHandler apply(HttpHandler next) {
        return (request, response) -> {
            response.getHeaders().set(HEADER, orNew(request.getHeaders().getFirst(HEADER)));
            return next.handle(request, response);
        };
    }

    /** The id that the answer carries. */
    public static String of(ServerHttpResponse response) {
        String id = response.getHeaders().getFirst(HEADER);
        return id == null ? "" : id;
    }

    /** The id that the caller has given where it is a sane one, else a new one. */
    public static String orNew(@Nullable String given) {
        return given != null && isSane(given)
                ? given
                : HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    private static boolean isSane(String id) {
        return !id.isEmpty() && id.length() <= LENGTH_MAX && id.chars().allMatch(RequestId::isPlain);
    }

    private static boolean isPlain(int character) {
        return character == '-'
                || character == '_'
                || character == '.'
                || (character >= '0' && character <= '9')
                || (character >= 'A' && character <= 'Z')
                || (character >= 'a' && character <= 'z');
    }
}
