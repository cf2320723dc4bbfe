package dev.ligeiro.desk.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An error response in the form of RFC 9457. It has no stack trace, because its code and detail name the cause. */
public final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final String TYPE_PREFIX = "urn:ligeiro:problem:";

    private final ProblemCode code;
    private final transient List<FieldError> errors;
    private final transient Map<String, Object> more = new LinkedHashMap<>();
    private Duration retryAfter = Duration.ofSeconds(1);

    private Problem(ProblemCode code, String detail, List<FieldError> errors) {
        super(detail, null, false, false);
        this.code = code;
        this.errors = List.copyOf(errors);
    }

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, detail, List.of());
    }

    public static Problem transactionNotFound() {
        return of(ProblemCode.TRANSACTION_NOT_FOUND, "There is no transaction with this id");
    }

    /** A 503 that tells when to try again. */
    public static Problem unavailable(String detail, Duration retryAfter) {
        Problem problem = of(ProblemCode.UNAVAILABLE, detail);
        problem.retryAfter = retryAfter;
        return problem;
    }

    public static Problem notFound(String detail) {
        return of(ProblemCode.NOT_FOUND, detail);
    }

    /** A 422 with all errors in the fields of a request. */
    public static Problem invalid(List<FieldError> errors) {
        String detail = errors.size() == 1 ? "1 field is invalid" : errors.size() + " fields are invalid";
        return new Problem(ProblemCode.VALIDATION_FAILED, detail, errors);
    }

    public static Problem invalid(String field, String message) {
        return invalid(List.of(FieldError.invalid(field, message)));
    }

    /** Adds a member, such as {@code allowed}. */
    public Problem with(String name, Object value) {
        more.put(name, value);
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

    Duration retryAfter() {
        return retryAfter;
    }

    /** The members of {@code application/problem+json} (RFC 9457 §3), in their order. */
    public Map<String, Object> members(String path, String requestId) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", TYPE_PREFIX + code.code());
        members.put("title", code.title());
        members.put("status", code.status().value());
        members.put("detail", detail());
        members.put("instance", path);
        members.put("code", code.code());
        members.put("request_id", requestId);
        if (!errors.isEmpty()) {
            members.put("errors", errors);
        }
        members.putAll(more);
        return members;
    }
}
