package dev.ligeiro.dispatcher.http;

import org.jspecify.annotations.Nullable;

/** How a POST ended. A redirect or an error of the receiver is an answer like any other. */
public sealed interface PostResult {

    /**
     * The status line came: whatever happened after it changes nothing.
     *
     * @param retryAfter the header of that name, as it came
     */
    record Answered(int status, @Nullable String retryAfter) implements PostResult {}

    /** No status line came. */
    record Unanswered(Failure failure) implements PostResult {}

    /** Why no answer came. */
    enum Failure {
        /** The host has no address that a webhook may go to: it stays so. */
        REFUSED_ADDRESS,
        /** No such host, no route, or nobody listening. */
        UNREACHABLE,
        /** TLS failed, for example for a certificate that is not trusted. */
        TLS_FAILED,
        /** Connected, then hung up on or spoken to in something that is not HTTP. */
        DISCONNECTED,
        TIMED_OUT
    }
}
