package dev.ligeiro.support.problem;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.json.JsonMapper;

/**
 * An error response in the form of RFC 9457. It is thrown, so that a flow contains only the successful case, and has no stack trace,
 * because its code and detail name the cause.
 */
public final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final String TYPE_PREFIX = "urn:ligeiro:problem:";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ProblemCode code;
    private final transient List<FieldError> errors;
    private final transient Map<String, Object> extensions = new LinkedHashMap<>();
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    private Problem(ProblemCode code, String detail, List<FieldError> errors, @Nullable Throwable cause) {
        super(detail, cause, false, false);
        this.code = code;
        this.errors = errors;
    }

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, detail, List.of(), null);
    }

    /** A 422 with all errors in the fields of a request. */
    public static Problem invalid(List<FieldError> errors) {
        String detail = errors.size() == 1 ? "1 field is invalid" : errors.size() + " fields are invalid";
        return new Problem(ProblemCode.VALIDATION_FAILED, detail, List.copyOf(errors), null);
    }

    public static Problem invalid(String field, String expected) {
        return invalid(List.of(FieldError.invalid(field, expected)));
    }

    public static Problem notFound(String detail) {
        return of(ProblemCode.NOT_FOUND, detail);
    }

    public static Problem unavailable(String detail, Duration retryAfter) {
        return unavailable(detail, retryAfter, null);
    }

    /** A 503. The log names the class of {@code cause}. */
    public static Problem unavailable(String detail, Duration retryAfter, @Nullable Throwable cause) {
        return new Problem(ProblemCode.UNAVAILABLE, detail, List.of(), cause).retryAfter(retryAfter);
    }

    /** A 503 of a request that had no effect, so it can be repeated safely. */
    public static Problem overloaded(String detail, Duration retryAfter) {
        return of(ProblemCode.OVERLOADED, detail).retryAfter(retryAfter);
    }

    public static Problem idempotencyKeyReused() {
        return of(
                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                "You have sent this Idempotency-Key with another request. Use a new key for each request");
    }

    public static Problem transactionNotFound() {
        return of(ProblemCode.TRANSACTION_NOT_FOUND, "You have no transaction with this id");
    }

    public static Problem bundlesNotConfigured() {
        return of(ProblemCode.BUNDLES_NOT_CONFIGURED, "The operator has set no key that signs bundles");
    }

    /** Adds an extension member to the response (RFC 9457 §3.2): a list of strings, or the text of {@code value}. */
    public Problem with(String member, Object value) {
        extensions.put(member, value instanceof List<?> ? value : value.toString());
        return this;
    }

    /** In whole seconds, at least one. */
    public Problem retryAfter(Duration wait) {
        return header(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, wait.toSeconds())));
    }

    public Problem header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public ProblemCode code() {
        return code;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    public List<FieldError> errors() {
        return errors;
    }

    public Map<String, Object> extensions() {
        return extensions;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /**
     * The members of {@code application/problem+json} (RFC 9457 §3), in their order.
     *
     * @param path the path of the request, without its query
     */
    public Map<String, Object> members(String path, String requestId) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", TYPE_PREFIX + code.code());
        members.put("title", code.title());
        members.put("status", code.status().value());
        members.put("detail", detail());
        members.put("instance", path);
        members.put("code", code.code());
        members.put("request_id", requestId);
        members.putAll(extensions);
        if (!errors.isEmpty()) {
            members.put("errors", errors);
        }
        return members;
    }

    public byte[] json(String path, String requestId) {
        return JSON.writeValueAsBytes(members(path, requestId));
    }
}
