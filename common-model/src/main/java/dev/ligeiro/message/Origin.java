package dev.ligeiro.message;

import org.jspecify.annotations.Nullable;

/**
 * The HTTP request that caused a command or an event, so that an operator can follow it through the services. It travels in the headers
 * of records, and never decides anything.
 *
 * @param requestId its {@code X-Request-Id}; null if no request is known
 * @param traceParent its span, as a {@code traceparent} (W3C Trace Context §3.2); null if it is not traced
 */
public record Origin(@Nullable String requestId, @Nullable String traceParent) {

    public static final Origin NONE = new Origin(null, null);

    public static final String REQUEST_ID = "request-id";

    public static final String TRACE_PARENT = "traceparent";

    public static Origin of(@Nullable String requestId, @Nullable String traceParent) {
        return requestId == null && traceParent == null ? NONE : new Origin(requestId, traceParent);
    }
}
