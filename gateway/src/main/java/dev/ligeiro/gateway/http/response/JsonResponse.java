package dev.ligeiro.gateway.http.response;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.ByteArrayBuilder;

/** Builds responses with a JSON object as their body. No cache may keep them: most have personal data, some a secret. */
public final class JsonResponse {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int TYPICAL_BYTES = 4096;

    private JsonResponse() {}

    public static Mono<ServerResponse> of(HttpStatus status, byte[] json) {
        return of(ServerResponse.status(status), json);
    }

    /** @param response a response with its status and headers, without a body */
    public static Mono<ServerResponse> of(ServerResponse.BodyBuilder response, byte[] json) {
        return json(response, json.length).bodyValue(json);
    }

    /** The response with the headers of a JSON body of {@code length} bytes, which the caller writes. */
    public static ServerResponse.BodyBuilder json(ServerResponse.BodyBuilder response, long length) {
        return response.contentType(MediaType.APPLICATION_JSON)
                .contentLength(length)
                .cacheControl(CacheControl.noStore());
    }

    /** Writes an array of objects. */
    public static <T> void objects(
            JsonGenerator json, String name, Iterable<T> items, BiConsumer<JsonGenerator, T> members) {
        json.writeArrayPropertyStart(name);
        for (T item : items) {
            json.writeStartObject();
            members.accept(json, item);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes an array of strings. */
    public static void strings(JsonGenerator json, String name, Iterable<String> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(json::writeString);
        json.writeEndArray();
    }

    /** Marks the response to a repeated request: it shows the outcome of the first one. */
    public static ServerResponse.BodyBuilder replayed(ServerResponse.BodyBuilder response) {
        return response.header("Idempotent-Replayed", "true");
    }

    /** The bytes of a JSON object; {@code members} writes its members. */
    public static byte[] object(Consumer<JsonGenerator> members) {
        // grows by blocks, without a copy: pages of lists have hundreds of kB
        ByteArrayBuilder out = new ByteArrayBuilder(TYPICAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            members.accept(json);
            json.writeEndObject();
        }
        return out.toByteArray();
    }
}
