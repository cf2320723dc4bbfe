package dev.ligeiro.gateway.http.request;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the body of a request as one JSON object of at most 64 KiB. Numbers are read exactly; a duplicate key is an error. A compressed
 * body is refused, so a small request never becomes a large body.
 */
public final class JsonBody {

    private static final int LEVELS_MAX = 32;
    private static final int DIGITS_MAX = 1_000;
    private static final ObjectReader READER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(LEVELS_MAX)
                            .maxNumberLength(DIGITS_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private static final int POINTER_LENGTH_MAX = 100;
    private static final Pattern FIELD_NAMES = Pattern.compile("(/[A-Za-z_][A-Za-z_0-9]*|/[0-9]{1,4})+");

    private JsonBody() {}

    /** The body of a request that has none: an object without fields. */
    private static ObjectNode none() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Fails with a {@link Problem} 400, 413, 415, or 429 or 503 while too many large bodies, of the sender or in all, are under way. */
    public static Mono<ObjectNode> read(ServerRequest request, Sender sender) {
        requireJson(request);
        return BodyBytes.read(request, sender, BodyBytes.BYTES_MAX).map(JsonBody::parse);
    }

    /**
     * As {@link #read}; an object without fields for a request without a body, with an empty one, which has any type, or with {@code null}, which
     * generated clients send for a body that they are not given.
     */
    public static Mono<ObjectNode> readIfPresent(ServerRequest request, Sender sender) {
        // RFC 9112 §6.3
        boolean isPresent = request.headers().contentLength().orElse(0) > 0
                || request.headers().firstHeader(HttpHeaders.TRANSFER_ENCODING) != null;
        return isPresent
                ? BodyBytes.read(request, sender, BodyBytes.BYTES_MAX).map(bytes -> parseIfPresent(request, bytes))
                : Mono.fromSupplier(JsonBody::none);
    }

    private static ObjectNode parseIfPresent(ServerRequest request, byte[] bytes) {
        if (bytes.length == 0) {
            return none();
        }
        requireJson(request);
        return new String(bytes, StandardCharsets.UTF_8).strip().equals("null") ? none() : parse(bytes);
    }

    private static void requireJson(ServerRequest request) {
        requireJson(request.headers().firstHeader(HttpHeaders.CONTENT_TYPE));
        requireNotEncoded(request.headers().header(HttpHeaders.CONTENT_ENCODING));
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

    /** The response names what is accepted (RFC 9110 §12.5.3). */
    private static void requireNotEncoded(List<String> encodings) {
        if (!encodings.stream().allMatch("identity"::equalsIgnoreCase)) {
            throw Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send the body without Content-Encoding")
                    .header(HttpHeaders.ACCEPT_ENCODING, "identity");
        }
    }

    /** @throws Problem 400 when {@code json} is not one JSON object in UTF-8 */
    public static ObjectNode parse(byte[] json) {
        String text = utf8(json);
        if (text.isEmpty()) {
            throw malformed("expected a JSON object, the body is empty");
        }
        try (JsonParser parser = READER.createParser(text)) {
            return object(parser);
        }
    }

    /**
     * Without a byte order mark (RFC 8259 §8.1). Jackson would guess UTF-16 and UTF-32, and read overlong forms and code points above U+10FFFF
     * as other characters, which the merchant has not sent.
     */
    private static String utf8(byte[] json) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(json))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException otherEncoding) {
            throw malformed("expected JSON in UTF-8 (RFC 8259 §8.1)");
        }
    }

    private static ObjectNode object(JsonParser parser) {
        try {
            if (READER.readTree(parser) instanceof ObjectNode object) {
                return object;
            }
        } catch (StreamConstraintsException beyond) {
            throw malformed("expected at most " + LEVELS_MAX + " levels and numbers of at most " + DIGITS_MAX
                    + " digits, exceeded" + place(parser));
        } catch (MismatchedInputException mismatched) {
            throw malformed(
                    parser.streamReadContext().pathAsPointer().matches()
                            ? "expected nothing after the JSON object, found more" + place(parser)
                            : "expected each member once, found a second one" + place(parser));
        } catch (NumberFormatException beyond) {
            // of BigDecimal, whose exponent is an int
            throw malformed("expected numbers with exponents of at most 9 digits, exceeded" + place(parser));
        } catch (JacksonException unreadable) {
            throw malformed("expected a JSON object, unreadable" + place(parser, unreadable.getLocation()));
        }
        throw malformed("expected a JSON object");
    }

    private static String place(JsonParser parser) {
        return place(parser, null);
    }

    /**
     * Where the reading stopped, for people: line, column and the JSON pointer (RFC 6901) of the value. It never contains a value, and a
     * pointer only when its names look like names of fields.
     *
     * @param known null or a location without a line: the place that {@code parser} has reached
     */
    private static String place(JsonParser parser, @Nullable TokenStreamLocation known) {
        TokenStreamLocation location = known == null || known.getLineNr() < 1 ? parser.currentTokenLocation() : known;
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        boolean isSafe = pointer.length() <= POINTER_LENGTH_MAX
                && FIELD_NAMES.matcher(pointer).matches();
        return " at line " + location.getLineNr() + ", column " + location.getColumnNr()
                + (isSafe ? ", in " + pointer : "");
    }

    private static Problem malformed(String detail) {
        return Problem.of(ProblemCode.MALFORMED_REQUEST, detail);
    }
}
