package dev.ligeiro.gateway.http.metrics;

import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.observe.Traces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Observes every request of the public port: sets {@code X-Request-Id} on its response, counts it while it is under way, and at its end
 * records its time and writes the access line.
 */
@Component
public final class ObserveRequests {

    static final String TIMER = "ligeiro.http.requests";

    private static final Logger LOG = LoggerFactory.getLogger(ObserveRequests.class);

    private final MeterRegistry registry;
    private final boolean accessLog;
    private final Traces traces;

    /** The route of requests that no route matches: 404 and 405. */
    private final ObservedRoute unmatched;

    private final Counter disconnected;
    private final AtomicInteger inFlight = new AtomicInteger();

    ObserveRequests(
            MeterRegistry registry, @Value("${ligeiro.http.access-log:false}") boolean accessLog, Traces traces) {
        this.registry = registry;
        this.accessLog = accessLog;
        this.traces = traces;
        this.unmatched = new ObservedRoute("other", "unmatched", registry);
        this.disconnected = Counter.builder("ligeiro.http.disconnected")
                .description("Requests whose client closed the connection before the end of the response")
                .baseUnit("requests")
                .register(registry);
        Gauge.builder("ligeiro.http.requests.in.flight", inFlight, AtomicInteger::get)
                .description("Requests whose response has not ended")
                .register(registry);
    }

    /** The timers of a route. Call it once for each route, at start. */
    public ObservedRoute route(String method, String path) {
        return new ObservedRoute(method, path, registry);
    }

    public HttpHandler around(HttpHandler next) {
        return (request, response) -> Mono.defer(() -> observe(next, request, response));
    }

    private Mono<Void> observe(HttpHandler next, ServerHttpRequest request, ServerHttpResponse response) {
        ObservedRequest observed = new ObservedRequest(this, request, System.nanoTime(), begin(request));
        response.getHeaders().set(RequestId.HEADER, observed.id);
        Mono<Void> handled = next.handle(observed, response);
        inFlight.incrementAndGet();
        return handled.doFinally(signal -> end(observed, response, signal))
                // nothing can be sent on a closed connection; the server would log that as an error
                .onErrorComplete(failure -> isClosed(response));
    }

    private @Nullable Span begin(ServerHttpRequest request) {
        return traces.isOn() ? traces.begin(request.getHeaders().getFirst(Origin.TRACE_PARENT)) : null;
    }

    private void end(ObservedRequest request, ServerHttpResponse response, SignalType signal) {
        if (signal == SignalType.ON_COMPLETE && !isClosed(response)) {
            HttpStatusCode status = response.getStatusCode();
            end(request, status == null ? 200 : status.value());
        } else {
            end(request, null);
        }
    }

    /** @param status null if the client has closed the connection */
    void end(ObservedRequest request, @Nullable Integer status) {
        if (!request.tryEnd()) {
            return;
        }
        inFlight.decrementAndGet();
        long nanos = System.nanoTime() - request.startedNanos;
        ObservedRoute route = request.route == null ? unmatched : request.route;
        if (status == null) {
            disconnected.increment();
        } else {
            route.record(status, nanos);
        }
        if (request.span != null) {
            end(request.span, request, route, status);
        }
        if (accessLog) {
            writeLine(request, route, status, nanos);
        }
    }

    /** The span has the route and the request id, but neither path nor query, which may be personal data. */
    private static void end(Span span, ObservedRequest request, ObservedRoute route, @Nullable Integer status) {
        span.updateName(route.method + " " + route.path);
        span.setAttribute("http.request.method", route.method);
        span.setAttribute("http.route", route.path);
        span.setAttribute("ligeiro.request_id", request.id);
        if (status != null) {
            span.setAttribute("http.response.status_code", status);
        }
        if (status == null || status >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    /** The line has the route's path, never the path or the query that was sent. */
    private static void writeLine(ObservedRequest request, ObservedRoute route, @Nullable Integer status, long nanos) {
        LoggingEventBuilder line = LOG.atInfo()
                .addKeyValue("event.action", "http_request")
                .addKeyValue("method", route.method)
                .addKeyValue("route", route.path)
                .addKeyValue("status", status)
                .addKeyValue("duration_ms", TimeUnit.NANOSECONDS.toMillis(nanos))
                .addKeyValue("request_id", request.id);
        LoggedMerchant.add(line, request.tenant).log("A request has ended");
    }

    private static boolean isClosed(ServerHttpResponse response) {
        return ProblemHandler.CLIENT_CLOSED.equals(response.getStatusCode());
    }

    /** A route with its timers, one for each class of status. They are registered once, so that a request looks nothing up. */
    public static final class ObservedRoute {

        private final String method;
        private final String path;
        private final Timer successes;
        private final Timer clientErrors;
        private final Timer serverErrors;

        /** @param path with its variables, such as {@code /api/v1/transaction/{id}} */
        ObservedRoute(String method, String path, MeterRegistry registry) {
            this.method = method;
            this.path = path;
            this.successes = timer("2xx", registry);
            this.clientErrors = timer("4xx", registry);
            this.serverErrors = timer("5xx", registry);
        }

        private Timer timer(String status, MeterRegistry registry) {
            return Timer.builder(TIMER)
                    .description("From the head of a request to the end of its response")
                    .tag("method", method)
                    .tag("route", path)
                    .tag("status", status)
                    .register(registry);
        }

        /** Notes that {@code request} has this route. */
        public void matched(ServerRequest request) {
            ObservedRequest observed = ObservedRequest.of(request);
            if (observed != null) {
                observed.route = this;
            }
        }

        private void record(int status, long nanos) {
            Timer timer = status >= 500 ? serverErrors : status >= 400 ? clientErrors : successes;
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
