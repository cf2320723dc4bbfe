package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of a request as one JSON object of at most 64 KiB. Numbers are read exactly; a duplicate key is an error. */
public final class JsonBody {

    private static final int BYTES_MAX = 64 * 1024;
    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private JsonBody() {}

    /** The body of a request that has none: an object without fields. */
    public static ObjectNode none() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Fails with a {@link Problem} 400, 413 or 415. */
    public static Mono<ObjectNode> read(ServerRequest request) {
        requireJson(request.headers().firstHeader(HttpHeaders.CONTENT_TYPE));
        return DataBufferUtils.join(request.exchange().getRequest().getBody(), BYTES_MAX)
                .map(buffer -> parse(bytes(buffer)))
                .switchIfEmpty(Mono.error(() -> malformed("expected a JSON object, the body is empty")));
    }

    private static void requireJson(@Nullable String contentType) {
        if (MediaType.APPLICATION_JSON_VALUE.equals(contentType)) {
            return;
        }
        try {
            if (contentType != null && isJsonInUtf8(MediaType.parseMediaType(contentType))) {
                return;
            }
        } catch (InvalidMediaTypeException notAType) {
            // a malformed Content-Type is not JSON
        }
        throw Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send Content-Type: application/json");
    }

    private static boolean isJsonInUtf8(MediaType type) {
        Charset charset = type.getCharset();
        return MediaType.APPLICATION_JSON.includes(type) && (charset == null || charset.equals(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    /** @throws Problem 400 when {@code json} is not one JSON object in UTF-8 */
    public static ObjectNode parse(byte[] json) {
        if (isWide(json)) {
            throw malformed("expected JSON in UTF-8 (RFC 8259 §8.1)");
        }
        try {
            JsonNode node = READER.readTree(json);
            if (node instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException unreadable) {
            throw malformed("expected a JSON object, unreadable" + place(unreadable.getLocation()));
        }
        throw malformed("expected a JSON object");
    }

    /** @param location where parsing stopped; null when the JSON exceeds a limit, such as the nesting depth */
    private static String place(@Nullable TokenStreamLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** Whether the JSON is UTF-16 or UTF-32, which Jackson would accept: no JSON object in UTF-8 starts with such bytes. */
    private static boolean isWide(byte[] json) {
        for (int i = 0; i < Math.min(2, json.length); i++) {
            if (json[i] == 0 || json[i] == (byte) 0xFE || json[i] == (byte) 0xFF) {
                return true;
            }
        }
        return false;
    }

    private static Problem malformed(String detail) {
        return Problem.of(ProblemCode.MALFORMED_REQUEST, detail);
    }
}
