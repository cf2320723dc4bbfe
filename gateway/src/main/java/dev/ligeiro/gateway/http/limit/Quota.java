package dev.ligeiro.gateway.http.limit;

import java.time.Duration;

/**
 * A number of requests in a time, refilled evenly.
 *
 * @param policy its name in the headers and in problems
 * @param window whole seconds
 */
record Quota(String policy, int perSecond, Duration window) {

    /** As many requests at once when none came for the window. */
    long requests() {
        return perSecond * window.toSeconds();
    }

    /** An item of {@code RateLimit-Policy}. */
    String item() {
        return '"' + policy + "\";q=" + requests() + ";w=" + window.toSeconds();
    }
}
