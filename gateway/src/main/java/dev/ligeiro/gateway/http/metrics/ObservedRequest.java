package dev.ligeiro.gateway.http.metrics;

import dev.ligeiro.gateway.http.metrics.ObserveRequests.ObservedRoute;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.transaction.Tenant;
import io.opentelemetry.api.trace.Span;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * A request of the public port, with its id, start, span, route and tenant. Requests of the management port,
 * and those of tests without a server, are not observed; notes about them are dropped.
 */
public final class ObservedRequest extends ServerHttpRequestDecorator {

    private final ObserveRequests observer;
    final String id;
    final long startedNanos;
    final @Nullable Span span;
    /** Null if no route has this method and path. */
    @Nullable
    ObservedRoute route;
    /** Null before the API key is checked, and for routes without one. */
    @Nullable
    Tenant tenant;

    private boolean ended;

    /** @param span null if the request is not traced */
    ObservedRequest(ObserveRequests observer, ServerHttpRequest request, long startedNanos, @Nullable Span span) {
        super(request);
        this.observer = observer;
        this.id = RequestId.validOrNew(request.getHeaders().getFirst(RequestId.HEADER));
        this.startedNanos = startedNanos;
        this.span = span;
    }

    /** Notes the caller of the request. */
    public static void authenticated(ServerRequest request, Tenant tenant) {
        ObservedRequest observed = of(request);
        if (observed != null) {
            observed.tenant = tenant;
        }
    }

    /** Ends the request where its response begins: the response is a stream, which is open until its reader leaves. */
    public static void endBeforeStream(ServerRequest request, HttpStatusCode status) {
        ObservedRequest observed = of(request);
        if (observed != null) {
            observed.observer.end(observed, status.value());
        }
    }

    /** The request as the cause of commands. */
    public static Origin origin(ServerRequest request) {
        ObservedRequest observed = of(request);
        if (observed == null) {
            return Origin.NONE;
        }
        Span span = observed.span;
        return new Origin(observed.id, span == null ? null : Traces.traceParent(span.getSpanContext()));
    }

    static @Nullable ObservedRequest of(ServerRequest request) {
        ServerHttpRequest found = request.exchange().getRequest();
        while (!(found instanceof ObservedRequest) && found instanceof ServerHttpRequestDecorator around) {
            found = around.getDelegate();
        }
        return found instanceof ObservedRequest observed ? observed : null;
    }

    /** False if it has ended before. A client may disconnect while the response begins. */
    synchronized boolean tryEnd() {
        boolean isFirst = !ended;
        ended = true;
        return isFirst;
    }
}
