package dev.ligeiro.support.problem;

import dev.ligeiro.transaction.Coded;
import org.springframework.http.HttpStatus;

/**
 * The kinds of problem of the API and of the operators' API, each with its HTTP status and title. The code is the member {@code code} of
 * the response.
 */
public enum ProblemCode implements Coded {
    MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "The request cannot be read"),
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED, "A valid API key is needed"),
    INSUFFICIENT_ROLE(HttpStatus.FORBIDDEN, "The operator may not do this"),
    SECOND_OPERATOR_NEEDED(HttpStatus.FORBIDDEN, "Another operator must confirm"),
    INSUFFICIENT_SCOPE(HttpStatus.FORBIDDEN, "The API key may not do this"),
    ADDRESS_NOT_ALLOWED(HttpStatus.FORBIDDEN, "The API key does not work from this address"),
    SEPARATE_KEY_REQUIRED(HttpStatus.FORBIDDEN, "Another API key must decide"),
    TEST_MODE_ONLY(HttpStatus.FORBIDDEN, "Only test keys may do this"),
    TRANSACTION_NOT_FOUND(HttpStatus.NOT_FOUND, "No such transaction"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "No such resource"),
    TRANSACTION_ARCHIVED(HttpStatus.GONE, "The transaction's month is archived"),
    CURSOR_EXPIRED(HttpStatus.GONE, "The cursor is older than the kept events"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The resource has no such method"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The response has another media type"),
    LIVE_MODE_NOT_CONFIGURED(HttpStatus.CONFLICT, "No live rail is configured"),
    BUNDLES_NOT_CONFIGURED(HttpStatus.CONFLICT, "No key signs bundles"),
    KEY_NOT_ACTIVE(HttpStatus.CONFLICT, "The API key is revoked or expired"),
    NOT_RESOLVABLE(HttpStatus.CONFLICT, "Operators cannot decide this now"),
    RESOLUTION_OPEN(HttpStatus.CONFLICT, "Another decision about the same is open"),
    /** Only forms of the desk answer it. */
    CHANGED_MEANWHILE(HttpStatus.CONFLICT, "The values have changed meanwhile"),
    MERCHANT_FROZEN(HttpStatus.CONFLICT, "The operator has frozen the merchant"),
    REFERENCE_ALREADY_USED(HttpStatus.CONFLICT, "The reference belongs to another transaction"),
    INVALID_TRANSITION(HttpStatus.CONFLICT, "The transaction's status does not allow this"),
    REFUND_EXCEEDS_AMOUNT(HttpStatus.CONFLICT, "The refunds would exceed the amount"),
    REFUND_WINDOW_CLOSED(HttpStatus.CONFLICT, "The payment is too old for a refund"),
    REFUND_LIMIT_REACHED(HttpStatus.CONFLICT, "No more refunds of this transaction"),
    REFUND_REFERENCE_ALREADY_USED(HttpStatus.CONFLICT, "The refund reference belongs to another refund"),
    DISPUTE_CLOSED(HttpStatus.CONFLICT, "The dispute is closed"),
    DEFENSE_TOO_LATE(HttpStatus.CONFLICT, "The deadline of the dispute is over"),
    ALREADY_DEFENDED(HttpStatus.CONFLICT, "The dispute has a defence"),
    DEFENSE_REJECTED(HttpStatus.CONFLICT, "The bank does not take the defence"),
    TOO_MANY_ENDPOINTS(HttpStatus.CONFLICT, "No more webhook endpoints"),
    ENDPOINT_DISABLED(HttpStatus.CONFLICT, "The webhook endpoint is disabled"),
    REPLAY_RUNNING(HttpStatus.CONFLICT, "The webhook endpoint has a running replay"),
    TOO_MANY_ATTEMPTS(HttpStatus.CONFLICT, "No more attempts of this delivery"),
    TOO_MANY_ROTATIONS(HttpStatus.CONFLICT, "No more rotations of this secret for now"),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    URI_TOO_LONG(HttpStatus.URI_TOO_LONG, "The request target is too long"),
    HEADERS_TOO_LARGE(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large"),
    REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT, "The request was not sent in time"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Request bodies are application/json"),
    VALIDATION_FAILED(HttpStatus.UNPROCESSABLE_CONTENT, "The request has invalid fields"),
    IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The idempotency key belongs to another request"),
    RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"),
    INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "The request failed"),
    OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE, "Too many requests at the moment; this one had no effect"),
    QR_CODE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "No QR code of the bank is ready"),
    ROUTE_STOPPED(HttpStatus.SERVICE_UNAVAILABLE, "The operator has stopped these live transactions"),
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
