package dev.ligeiro.desk.http;

import com.mongodb.MongoException;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Coded;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** The problem of each exception that a request of the operators' API ends with. It is the only such table. */
public final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final Duration WRONG_TOKENS_AGAIN_AFTER = Duration.ofMinutes(1);

    private Problems() {}

    /** The problem of a request; a bug is logged. */
    public static Problem logged(Exception failure, HttpServletRequest request) {
        Problem problem = of(failure);
        if (problem.code() == ProblemCode.INTERNAL_ERROR) {
            LOG.atError()
                    .addKeyValue("event.action", "request_failed")
                    .addKeyValue("request_id", RequestId.of(request))
                    .setCause(failure)
                    .log("A request failed because of a bug");
        }
        return problem;
    }

    /** The response with a problem's document. */
    public static ResponseEntity<Map<String, Object>> response(Problem problem, HttpServletRequest request) {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        problem.headers().forEach(headers::set);
        if (problem.code() == ProblemCode.UNAVAILABLE && !headers.containsHeader(HttpHeaders.RETRY_AFTER)) {
            headers.set(HttpHeaders.RETRY_AFTER, "1");
        }
        Object failed = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        return new ResponseEntity<>(
                problem.members(failed == null ? request.getRequestURI() : failed.toString(), RequestId.of(request)),
                headers,
                problem.code().status());
    }

    public static Problem unauthorized(String detail) {
        return Problem.of(ProblemCode.UNAUTHORIZED, detail)
                .with("title", "A valid token of an operator is needed")
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"ligeiro-admin\"");
    }

    public static Problem tooManyTokens() {
        return Problem.of(ProblemCode.RATE_LIMITED, "Too many wrong tokens from this address")
                .retryAfter(WRONG_TOKENS_AGAIN_AFTER);
    }

    public static Problem transactionNotFound() {
        return Problem.of(ProblemCode.TRANSACTION_NOT_FOUND, "There is no transaction with this id");
    }

    public static Problem of(Throwable failure) {
        if (failure instanceof Problem problem) {
            return problem;
        }
        if (failure instanceof AccessDeniedException) {
            return Problem.of(ProblemCode.INSUFFICIENT_ROLE, "The operator's token lacks a role that this needs");
        }
        if (failure instanceof MethodArgumentTypeMismatchException mismatch) {
            return misspelt(mismatch);
        }
        if (failure instanceof MissingServletRequestParameterException missing) {
            return Problem.invalid(List.of(FieldError.required(missing.getParameterName())));
        }
        if (failure instanceof DataAccessException
                || failure instanceof MongoException
                || failure instanceof KafkaException) {
            return Problem.of(ProblemCode.UNAVAILABLE, "The stored data cannot be reached at the moment");
        }
        if (failure instanceof ErrorResponse refusal) {
            return ofStatus(refusal.getStatusCode());
        }
        if (failure instanceof HttpMessageNotReadableException) {
            return Problem.of(ProblemCode.MALFORMED_REQUEST, "The body is no JSON object");
        }
        return Problem.of(ProblemCode.INTERNAL_ERROR, "The request failed because of a bug; its id is in the log");
    }

    private static Problem misspelt(MethodArgumentTypeMismatchException mismatch) {
        if (mismatch.getParameter().hasParameterAnnotation(PathVariable.class)) {
            return mismatch.getName().equals("transactionId")
                    ? transactionNotFound()
                    : Problem.notFound("There is no such resource");
        }
        Class<?> type = mismatch.getParameter().getParameterType();
        return Problem.invalid(mismatch.getName(), type.isEnum() ? oneOf(type) : "expected another form");
    }

    /** The message about a value that is no code of a type's constants. */
    static String oneOf(Class<?> type) {
        return "expected one of "
                + Arrays.stream(type.getEnumConstants())
                        .map(constant -> ((Coded) constant).code())
                        .toList();
    }

    /** The problem of a request that a filter has refused, or that has no handler. */
    public static Problem ofStatus(HttpStatusCode status) {
        return switch (status.value()) {
            case 401 -> unauthorized("Send Authorization: Bearer <admin token>");
            case 403 -> Problem.of(ProblemCode.INSUFFICIENT_ROLE, "The request is refused");
            case 404 -> Problem.notFound("There is no such path");
            case 405 -> Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "The path has other methods");
            case 406 -> Problem.of(ProblemCode.NOT_ACCEPTABLE, "The response is application/json");
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is too large");
            case 415 -> Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send Content-Type: application/json");
            case 429 -> tooManyTokens();
            default ->
                status.is4xxClientError()
                        ? Problem.of(ProblemCode.MALFORMED_REQUEST, "The request cannot be read")
                        : Problem.of(ProblemCode.INTERNAL_ERROR, "The request failed");
        };
    }
}
