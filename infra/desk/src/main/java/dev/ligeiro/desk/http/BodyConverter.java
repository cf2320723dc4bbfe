package dev.ligeiro.desk.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the records of request bodies from JSON by {@link Bodies}. An absent body is an empty object. */
@Component
public class BodyConverter extends AbstractHttpMessageConverter<Object> {

    static final int BYTES_MAX = 64 * 1024;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Bodies bodies;

    BodyConverter(Bodies bodies) {
        super(MediaType.APPLICATION_JSON);
        this.bodies = bodies;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type.isRecord() && type.getName().startsWith("dev.ligeiro.desk.");
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Object readInternal(Class<?> type, HttpInputMessage input) throws IOException {
        byte[] body = input.getBody().readNBytes(BYTES_MAX + 1);
        try {
            if (body.length > BYTES_MAX) {
                throw Problem.of(ProblemCode.BODY_TOO_LARGE, "Bodies have at most " + BYTES_MAX + " bytes");
            }
            return bodies.bind(object(body), type);
        } catch (Problem problem) {
            throw new HttpMessageNotReadableException("invalid", problem, input);
        }
    }

    private static ObjectNode object(byte[] body) {
        try {
            JsonNode read = body.length == 0 ? JsonNodeFactory.instance.objectNode() : JSON.readTree(body);
            if (read instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException malformed) {
            // the same problem as for another JSON value
        }
        throw Problem.of(ProblemCode.MALFORMED_REQUEST, "The body is no JSON object");
    }

    @Override
    protected void writeInternal(Object body, HttpOutputMessage output) {
        throw new UnsupportedOperationException();
    }
}
