package dev.ligeiro.gateway.http.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** The metrics of the public port. */
@Component
public final class HttpMetrics {

    private final MeterRegistry registry;
    private final ObservedRoute unmatched;
    private final Counter unreadable;
    private final Counter disconnected;
    private final AtomicInteger inFlight = new AtomicInteger();

    HttpMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.unmatched = new ObservedRoute("other", "unmatched", registry);
        this.unreadable = Counter.builder("ligeiro.http.unreadable")
                .description("Requests refused before any route is looked for, since they are not valid HTTP")
                .baseUnit("requests")
                .register(registry);
        this.disconnected = Counter.builder("ligeiro.http.disconnected")
                .description("Requests whose client closed the connection before the end of the response")
                .baseUnit("requests")
                .register(registry);
        Gauge.builder("ligeiro.http.requests.in.flight", inFlight, AtomicInteger::get)
                .description("Requests whose response has not ended")
                .register(registry);
    }

    ObservedRoute route(String method, String path) {
        return new ObservedRoute(method, path, registry);
    }

    /** The route of requests that no route matches: 404 and 405. */
    ObservedRoute unmatched() {
        return unmatched;
    }

    public void unreadable() {
        unreadable.increment();
    }

    void begun() {
        inFlight.incrementAndGet();
    }

    void ended() {
        inFlight.decrementAndGet();
    }

    void disconnected() {
        disconnected.increment();
    }
}
