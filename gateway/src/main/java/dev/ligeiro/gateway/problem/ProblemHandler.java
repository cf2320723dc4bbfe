package dev.ligeiro.gateway.problem;

import dev.ligeiro.gateway.http.RequestId;
import java.io.ByteArrayOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webflux.error.ErrorWebExceptionHandler;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Answers every failed request with {@code application/problem+json} (RFC 9457), whatever the request accepts. */
@Component
@Order(-2)
public final class ProblemHandler implements ErrorWebExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);
    private static final String TYPE_PREFIX = "urn:ligeiro:problem:";
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(failure);
        }
        Problem problem = Problems.of(failure);
        String requestId = RequestId.of(response);
        log(problem, requestId, failure);
        response.setStatusCode(problem.code().status());
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        problem.headers().forEach(response.getHeaders()::set);
        byte[] body = json(problem, exchange.getRequest().getPath().value(), requestId);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    private static void log(Problem problem, String requestId, Throwable failure) {
        if (problem.code() == ProblemCode.INTERNAL_ERROR) {
            LOG.error("request_failed requestId={}", requestId, failure);
        } else if (problem.code() == ProblemCode.UNAVAILABLE) {
            LOG.warn(
                    "request_unavailable requestId={} cause={}",
                    requestId,
                    failure.getClass().getSimpleName());
        }
    }

    private static byte[] json(Problem problem, String path, String requestId) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("type", TYPE_PREFIX + problem.code().word());
            json.writeStringProperty("title", problem.code().title());
            json.writeNumberProperty("status", problem.code().status().value());
            json.writeStringProperty("detail", problem.detail());
            json.writeStringProperty("instance", path);
            json.writeStringProperty("code", problem.code().word());
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
