package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Answers in JSON. */
public final class Answers {

    /**
     * Longest wait for MongoDB, so that a caller is answered within 3 seconds. The driver's own timeout does not promise it: a
     * call may wait in its pool behind others that have more time.
     */
    public static final Duration WAIT_MAX = Duration.ofMillis(2_600);

    private static final JsonFactory JSON = new JsonFactory();
    private static final int TYPICAL_BYTES = 4096;

    private Answers() {}

    /** An answer with a JSON body that is already bytes. */
    public static Mono<ServerResponse> json(HttpStatus status, byte[] body) {
        return json(ServerResponse.status(status), body);
    }

    /** As above, on a builder that has headers of its own. */
    public static Mono<ServerResponse> json(ServerResponse.BodyBuilder builder, byte[] body) {
        return builder.contentType(MediaType.APPLICATION_JSON)
                .contentLength(body.length)
                .bodyValue(body);
    }

    /** The bytes of a JSON object whose members {@code members} writes. */
    public static byte[] object(Consumer<JsonGenerator> members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            members.accept(json);
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    /** @throws Problem 406 where the caller does not accept JSON */
    public static void requireAcceptsJson(ServerRequest request) {
        String accept = request.headers().firstHeader(HttpHeaders.ACCEPT);
        if (accept == null || accept.equals(MediaType.APPLICATION_JSON_VALUE) || accept.equals(MediaType.ALL_VALUE)) {
            return;
        }
        try {
            if (request.headers().accept().stream().anyMatch(MediaType.APPLICATION_JSON::isCompatibleWith)) {
                return;
            }
        } catch (InvalidMediaTypeException notAType) {
            // falls through: what cannot be read is not accepted
        }
        throw Problem.of(ProblemCode.NOT_ACCEPTABLE, "Send Accept: application/json");
    }

    /** A handler for the methods that a path does not have. */
    public static HandlerFunction<ServerResponse> onlyAllows(HttpMethod... allowed) {
        return request -> Mono.error(new MethodNotAllowedException(request.method(), List.of(allowed)));
    }
}
