package dev.ligeiro.desk.http;

import dev.ligeiro.transaction.Coded;
import org.springframework.http.HttpStatus;

/** The kinds of problem of the operators' API, each with its HTTP status and title. The code is the member {@code code} of the response. */
public enum ProblemCode implements Coded {
    MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "The request cannot be read"),
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED, "A valid token of an operator is needed"),
    INSUFFICIENT_ROLE(HttpStatus.FORBIDDEN, "The operator may not do this"),
    SECOND_OPERATOR_NEEDED(HttpStatus.FORBIDDEN, "Another operator must confirm"),
    TRANSACTION_NOT_FOUND(HttpStatus.NOT_FOUND, "No such transaction"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "No such resource"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The resource has no such method"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The response has another media type"),
    KEY_NOT_ACTIVE(HttpStatus.CONFLICT, "The API key is revoked or expired"),
    NOT_RESOLVABLE(HttpStatus.CONFLICT, "Operators cannot decide this now"),
    RESOLUTION_OPEN(HttpStatus.CONFLICT, "Another decision about the same is open"),
    MERCHANT_FROZEN(HttpStatus.CONFLICT, "The operator has frozen the merchant"),
    INVALID_TRANSITION(HttpStatus.CONFLICT, "The transaction's status does not allow this"),
    ENDPOINT_DISABLED(HttpStatus.CONFLICT, "The webhook endpoint is disabled"),
    REPLAY_RUNNING(HttpStatus.CONFLICT, "The webhook endpoint has a running replay"),
    TOO_MANY_ATTEMPTS(HttpStatus.CONFLICT, "No more attempts of this delivery"),
    /** Only forms answer it. */
    CHANGED_MEANWHILE(HttpStatus.CONFLICT, "The values have changed meanwhile"),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Request bodies are application/json"),
    VALIDATION_FAILED(HttpStatus.UNPROCESSABLE_CONTENT, "The request has invalid fields"),
    RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"),
    INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "The request failed"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Try again later");

    private final HttpStatus status;
    private final String title;

    ProblemCode(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    public HttpStatus status() {
        return status;
    }

    public String title() {
        return title;
    }
}
