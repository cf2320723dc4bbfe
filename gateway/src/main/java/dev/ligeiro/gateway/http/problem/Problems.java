package dev.ligeiro.gateway.http.problem;

import com.mongodb.MongoException;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.QueueFullException;
import io.netty.handler.timeout.TimeoutException;
import java.time.Duration;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ResponseStatusException;

/** The only table that maps exceptions to problems. Any other exception is a bug: 500, logged once. */
public final class Problems {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
    private static final Duration RETRY_AFTER_FULL_QUEUE = Duration.ofSeconds(1);

    private Problems() {}

    public static Problem of(Throwable failure) {
        if (failure instanceof Problem problem) {
            return problem;
        }
        if (isUnavailable(failure)) {
            return Problem.unavailable(
                    "The database cannot be reached; it is unknown whether the request took effect",
                    RETRY_AFTER,
                    failure);
        }
        if (failure instanceof QueueFullException) {
            return Problem.overloaded("Too many requests wait for the store", RETRY_AFTER_FULL_QUEUE);
        }
        if (failure instanceof MethodNotAllowedException notAllowed) {
            return methodNotAllowed(notAllowed);
        }
        if (failure instanceof ResponseStatusException status) {
            return ofStatus(status);
        }
        return internalError();
    }

    /** Whether {@code failure} means that a server did not answer in time. What the request changed is then unknown. */
    public static boolean isUnavailable(Throwable failure) {
        return failure instanceof MongoException
                || failure instanceof DataAccessException
                || failure instanceof TimeoutException
                || failure instanceof java.util.concurrent.TimeoutException
                || isClosedClient(failure);
    }

    /** Whether the same request may succeed in a few seconds: a server did not answer in time, or too many requests wait for it. */
    public static boolean mayPass(Throwable failure) {
        return isUnavailable(failure) || failure instanceof QueueFullException;
    }

    /**
     * Whether MongoDB's client is closed, because this gateway stops: a request can still come over a connection that was kept alive.
     * The driver has no exception of its own for it.
     */
    private static boolean isClosedClient(Throwable failure) {
        String message = failure.getMessage();
        return failure instanceof IllegalStateException
                && message != null
                && message.startsWith("state should be: ")
                && message.endsWith("open");
    }

    private static Problem methodNotAllowed(MethodNotAllowedException notAllowed) {
        String allowed = notAllowed.getSupportedMethods().stream()
                .map(HttpMethod::name)
                .sorted()
                .collect(Collectors.joining(", "));
        return Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "Allowed: " + allowed).header(HttpHeaders.ALLOW, allowed);
    }

    /** A refusal by Spring or Actuator. */
    private static Problem ofStatus(ResponseStatusException refusal) {
        Problem problem =
                switch (refusal.getStatusCode().value()) {
                    case 404 -> Problem.notFound("There is nothing at this path");
                    case 406 -> Problem.of(ProblemCode.NOT_ACCEPTABLE, "There is no response in a type of Accept");
                    case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is too large");
                    case 415 -> Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "The body has another media type");
                    default ->
                        refusal.getStatusCode().is4xxClientError()
                                ? Problem.of(ProblemCode.MALFORMED_REQUEST, "The request cannot be read")
                                : internalError();
                };
        // such as the types that are accepted
        refusal.getHeaders().forEach((name, values) -> problem.header(name, String.join(", ", values)));
        return problem;
    }

    private static Problem internalError() {
        return Problem.of(ProblemCode.INTERNAL_ERROR, "The failure has been logged under the request id");
    }
}
