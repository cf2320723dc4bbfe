package dev.ligeiro.gateway.http.request;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Reads the body of a request as a form of at most 8 KiB in UTF-8 (URL Standard §5.1). */
public final class FormBody {

    private static final int BYTES_MAX = 8 * 1024;

    private FormBody() {}

    /**
     * The first value of each field; none for a body of another type, which is not read. Fails with a {@link Problem} 400, 413, or 429 or 503
     * while too many large bodies are under way.
     */
    public static Mono<Map<String, String>> read(ServerRequest request, Sender sender) {
        return isForm(request)
                ? BodyBytes.read(request, sender, BYTES_MAX).map(FormBody::parse)
                : Mono.fromSupplier(Map::of);
    }

    private static boolean isForm(ServerRequest request) {
        try {
            return request.headers()
                    .contentType()
                    .filter(MediaType.APPLICATION_FORM_URLENCODED::includes)
                    .isPresent();
        } catch (InvalidMediaTypeException notAType) {
            return false;
        }
    }

    /** @throws Problem 400 for broken percent-encoding, and for a text that is not UTF-8 */
    static Map<String, String> parse(byte[] form) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String pair : new String(form, StandardCharsets.ISO_8859_1).split("&")) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", 2);
                fields.putIfAbsent(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1]));
            }
        }
        return fields;
    }

    private static String decoded(String encoded) {
        try {
            byte[] bytes =
                    URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            throw Problem.of(ProblemCode.MALFORMED_REQUEST, "The form cannot be read");
        }
    }
}
