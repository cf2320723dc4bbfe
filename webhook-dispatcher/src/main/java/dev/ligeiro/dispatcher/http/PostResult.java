package dev.ligeiro.dispatcher.http;

import org.jspecify.annotations.Nullable;

/** The result of a POST. Every status code, also of a redirect or an error, is a {@link Response}. */
public sealed interface PostResult {

    /**
     * The receiver sent a status line. A failure after it, such as a broken body, is ignored.
     *
     * @param retryAfter the value of the {@code Retry-After} header, unchanged
     */
    record Response(int status, @Nullable String retryAfter) implements PostResult {}

    /** The receiver sent no status line. */
    record NoResponse(Failure failure) implements PostResult {}

    /** The cause of a missing response. */
    enum Failure {
        /** {@link AddressRules} allows no address of the host. */
        REFUSED_ADDRESS,
        /** Unknown host, no route or connection refused. */
        UNREACHABLE,
        /** The TLS handshake failed, for example because of an untrusted certificate. */
        TLS_FAILED,
        /** The receiver closed the connection or sent something other than HTTP. */
        DISCONNECTED,
        TIMED_OUT
    }
}
