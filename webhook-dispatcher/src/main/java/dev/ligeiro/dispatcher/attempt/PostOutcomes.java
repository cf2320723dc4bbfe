package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.PostResult;
import dev.ligeiro.dispatcher.http.PostResult.Failure;
import dev.ligeiro.dispatcher.http.PostResult.NoResponse;
import dev.ligeiro.dispatcher.http.PostResult.Response;
import dev.ligeiro.webhook.AttemptOutcome;

/** Maps the result of a POST to the outcome of its attempt (Standard Webhooks 1.0: only 2xx is a success). */
final class PostOutcomes {

    private static final int OK = 200;
    private static final int REDIRECT = 300;
    private static final int CLIENT_ERROR = 400;
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;

    private PostOutcomes() {}

    static AttemptOutcome of(PostResult result) {
        return result instanceof Response response
                ? ofStatus(response.status())
                : ofFailure(((NoResponse) result).failure());
    }

    private static AttemptOutcome ofStatus(int status) {
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

    private static AttemptOutcome ofFailure(Failure failure) {
        return switch (failure) {
            case REFUSED_ADDRESS -> AttemptOutcome.REFUSED_ADDRESS;
            case UNREACHABLE -> AttemptOutcome.UNREACHABLE;
            case TLS_FAILED -> AttemptOutcome.TLS_FAILED;
            case DISCONNECTED -> AttemptOutcome.DISCONNECTED;
            case TIMED_OUT -> AttemptOutcome.TIMED_OUT;
        };
    }
}
