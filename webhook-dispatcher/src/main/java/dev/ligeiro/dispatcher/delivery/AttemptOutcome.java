package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.dispatcher.http.PostResult;
import dev.ligeiro.dispatcher.http.PostResult.Answered;
import dev.ligeiro.dispatcher.http.PostResult.Failure;
import dev.ligeiro.dispatcher.http.PostResult.Unanswered;

/** How an attempt ended (Standard Webhooks 1.0: 2xx is success, a redirect is none). */
public enum AttemptOutcome {
    DELIVERED("delivered", false),
    /** 3xx: never followed. */
    REDIRECTED("redirected", false),
    /** 410: the merchant wants nothing at this URL any more. */
    GONE("gone", true),
    /** 429. */
    THROTTLED("throttled", false),
    /** Any other status. */
    REJECTED("rejected", false),
    TIMED_OUT("timed_out", false),
    UNREACHABLE("unreachable", false),
    TLS_FAILED("tls_failed", false),
    DISCONNECTED("disconnected", false),
    /** The host has no address that a webhook may go to. */
    REFUSED_ADDRESS("refused_address", true),
    /** No request can be made of what is stored of the endpoint: a URL or secret that is none. */
    UNSENDABLE("unsendable", true);

    private static final int OK = 200;
    private static final int REDIRECT = 300;
    private static final int CLIENT_ERROR = 400;
    private static final int HTTP_GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final AttemptOutcome[] OUTCOMES = values();

    private final String word;
    private final boolean permanent;

    AttemptOutcome(String word, boolean permanent) {
        this.word = word;
        this.permanent = permanent;
    }

    /** The word of the API, the store and the metrics. */
    public String word() {
        return word;
    }

    /** Whether another attempt would end the same way. */
    public boolean permanent() {
        return permanent;
    }

    /** What a post that ended so counts as. */
    public static AttemptOutcome of(PostResult result) {
        return result instanceof Answered answered
                ? ofStatus(answered.status())
                : ofFailure(((Unanswered) result).failure());
    }

    private static AttemptOutcome ofStatus(int status) {
        if (status >= OK && status < REDIRECT) {
            return DELIVERED;
        }
        if (status >= REDIRECT && status < CLIENT_ERROR) {
            return REDIRECTED;
        }
        return switch (status) {
            case HTTP_GONE -> GONE;
            case TOO_MANY_REQUESTS -> THROTTLED;
            default -> REJECTED;
        };
    }

    private static AttemptOutcome ofFailure(Failure failure) {
        return switch (failure) {
            case REFUSED_ADDRESS -> REFUSED_ADDRESS;
            case UNREACHABLE -> UNREACHABLE;
            case TLS_FAILED -> TLS_FAILED;
            case DISCONNECTED -> DISCONNECTED;
            case TIMED_OUT -> TIMED_OUT;
        };
    }

    static AttemptOutcome ofWord(String word) {
        for (AttemptOutcome outcome : OUTCOMES) {
            if (outcome.word.equals(word)) {
                return outcome;
            }
        }
        throw new IllegalArgumentException(word + " (expected: an attempt outcome)");
    }
}
