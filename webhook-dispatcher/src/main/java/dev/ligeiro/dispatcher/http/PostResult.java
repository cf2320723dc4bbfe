package dev.ligeiro.dispatcher.http;

import dev.ligeiro.dispatcher.http.GuardedDns.RefusedAddressException;
import dev.ligeiro.webhook.AttemptOutcome;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The result of a POST. Every status code, also of a redirect or an error, is a response; a failure after the status line, such as a
 * broken body, is ignored.
 *
 * @param status null if the receiver sent no status line
 * @param retryAfter the value of the {@code Retry-After} header, unchanged
 * @param text the beginning of the body, as far as it was received; null without one, and of a success
 */
public record PostResult(
        AttemptOutcome outcome, @Nullable Integer status, @Nullable String retryAfter, @Nullable String text) {

    private static final int OK = 200;
    private static final int REDIRECT = 300;
    private static final int CLIENT_ERROR = 400;
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;

    static PostResult response(int status, @Nullable String retryAfter) {
        return new PostResult(outcome(status), status, retryAfter, null);
    }

    PostResult with(@Nullable String beginning) {
        return new PostResult(outcome, status, retryAfter, beginning);
    }

    /** Without a response. */
    public static PostResult none(AttemptOutcome outcome) {
        return new PostResult(outcome, null, null, null);
    }

    /** Standard Webhooks 1.0: only 2xx is a success. */
    private static AttemptOutcome outcome(int status) {
        if (status >= OK && status < REDIRECT) {
            return AttemptOutcome.DELIVERED;
        }
        if (status >= REDIRECT && status < CLIENT_ERROR) {
            return AttemptOutcome.REDIRECTED;
        }
        return switch (status) {
            case GONE -> AttemptOutcome.GONE;
            case TOO_MANY_REQUESTS -> AttemptOutcome.THROTTLED;
            default -> AttemptOutcome.REJECTED;
        };
    }

    static PostResult noResponse(Throwable failure) {
        return none(outcome(failure));
    }

    private static AttemptOutcome outcome(Throwable failure) {
        if (failure instanceof RefusedAddressException) {
            return AttemptOutcome.REFUSED_ADDRESS;
        }
        if (failure instanceof TimeoutException || failure instanceof SocketTimeoutException) {
            return AttemptOutcome.TIMED_OUT;
        }
        if (failure instanceof SSLException) {
            return AttemptOutcome.TLS_FAILED;
        }
        if (failure instanceof UnknownHostException
                || failure instanceof ConnectException
                || failure instanceof NoRouteToHostException) {
            return AttemptOutcome.UNREACHABLE;
        }
        // the receiver closed the connection or sent something other than HTTP
        return AttemptOutcome.DISCONNECTED;
    }
}
