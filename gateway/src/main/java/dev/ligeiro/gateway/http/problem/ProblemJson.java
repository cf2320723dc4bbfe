package dev.ligeiro.gateway.http.problem;

import java.io.ByteArrayOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A problem as {@code application/problem+json} (RFC 9457 §3). */
public final class ProblemJson {

    private static final String TYPE_PREFIX = "urn:ligeiro:problem:";
    private static final JsonFactory JSON = new JsonFactory();

    private ProblemJson() {}

    /** @param path the path of the request, without its query */
    public static byte[] of(Problem problem, String path, String requestId) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("type", TYPE_PREFIX + problem.code().code());
            json.writeStringProperty("title", problem.code().title());
            json.writeNumberProperty("status", problem.code().status().value());
            json.writeStringProperty("detail", problem.detail());
            json.writeStringProperty("instance", path);
            json.writeStringProperty("code", problem.code().code());
            json.writeStringProperty("request_id", requestId);
            problem.extensions().forEach((member, value) -> writeMember(json, member, value));
            if (!problem.errors().isEmpty()) {
                writeErrors(json, problem);
            }
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static void writeMember(JsonGenerator json, String member, Object value) {
        if (value instanceof Iterable<?> values) {
            json.writeArrayPropertyStart(member);
            values.forEach(element -> json.writeString(element.toString()));
            json.writeEndArray();
        } else {
            json.writeStringProperty(member, value.toString());
        }
    }

    private static void writeErrors(JsonGenerator json, Problem problem) {
        json.writeArrayPropertyStart("errors");
        for (FieldError error : problem.errors()) {
            json.writeStartObject();
            json.writeStringProperty("field", error.field());
            json.writeStringProperty("code", error.code());
            json.writeStringProperty("message", error.message());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
