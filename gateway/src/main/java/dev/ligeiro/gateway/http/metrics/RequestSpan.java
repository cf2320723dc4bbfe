package dev.ligeiro.gateway.http.metrics;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import org.jspecify.annotations.Nullable;

/** Ends the span of a traced request. It has the route and the request id, but neither path nor query, which may be personal data. */
final class RequestSpan {

    private RequestSpan() {}

    /** @param status null if the client has closed the connection */
    static void end(ObservedRequest request, ObservedRoute route, @Nullable Integer status) {
        Span span = request.span();
        if (span == null) {
            return;
        }
        span.updateName(route.method() + " " + route.path());
        span.setAttribute("http.request.method", route.method());
        span.setAttribute("http.route", route.path());
        span.setAttribute("ligeiro.request_id", request.id());
        if (status != null) {
            span.setAttribute("http.response.status_code", status);
        }
        if (status == null || status >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
