package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads a request's body as one JSON object of at most 64 KiB. Numbers are read exactly; a key given twice is an error. */
public final class JsonBody {

    private static final int BYTES_MAX = 64 * 1024;
    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private JsonBody() {}

    /** The body's object; fails with a {@link Problem} 400, 413 or 415. */
    public static Mono<ObjectNode> read(ServerRequest request) {
        requireJson(request.headers().firstHeader(HttpHeaders.CONTENT_TYPE));
        return DataBufferUtils.join(request.exchange().getRequest().getBody(), BYTES_MAX)
                .map(JsonBody::parse)
                .switchIfEmpty(Mono.error(() -> malformed("expected a JSON object, the body is empty")));
    }

    private static void requireJson(@Nullable String contentType) {
        if (MediaType.APPLICATION_JSON_VALUE.equals(contentType)) {
            return;
        }
        try {
            if (contentType != null && MediaType.APPLICATION_JSON.includes(MediaType.parseMediaType(contentType))) {
                return;
            }
        } catch (InvalidMediaTypeException notAType) {
            // falls through: what cannot be read is not JSON
        }
        throw Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send Content-Type: application/json");
    }

    private static ObjectNode parse(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        try {
            JsonNode node = READER.readTree(bytes);
            if (node instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException unreadable) {
            throw malformed("expected a JSON object, unreadable at line "
                    + unreadable.getLocation().getLineNr() + ", column "
                    + unreadable.getLocation().getColumnNr());
        }
        throw malformed("expected a JSON object");
    }

    private static Problem malformed(String detail) {
        return Problem.of(ProblemCode.MALFORMED_REQUEST, detail);
    }
}
