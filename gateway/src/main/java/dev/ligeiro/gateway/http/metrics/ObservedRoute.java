package dev.ligeiro.gateway.http.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.springframework.web.reactive.function.server.ServerRequest;

/** A route with its timers, one for each class of status. They are registered once, so that a request looks nothing up. */
public final class ObservedRoute {

    static final String TIMER = "ligeiro.http.requests";

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
        ObservedRequest.routed(request, this);
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    void record(int status, long nanos) {
        timer(status).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(int status) {
        if (status >= 500) {
            return serverErrors;
        }
        return status >= 400 ? clientErrors : successes;
    }
}
