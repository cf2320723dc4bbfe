package dev.ligeiro.gateway.api.list.count;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Shows how much is counted anew for lists, and how many counts run in the background. */
@Component
class CountMetrics {

    private final Counter counted;
    private final Counter used;
    private volatile int running;

    CountMetrics(MeterRegistry registry) {
        this.counted = Counter.builder("ligeiro.gateway.list.counted")
                .description("Time buckets whose matches were counted for a list")
                .baseUnit("buckets")
                .register(registry);
        this.used = Counter.builder("ligeiro.gateway.list.cached.used")
                .description("Days whose cached counts were valid")
                .baseUnit("days")
                .register(registry);
        Gauge.builder("ligeiro.gateway.list.counts.running", () -> running)
                .description("Counts that run in the background")
                .register(registry);
    }

    void counted() {
        counted.increment();
    }

    void used(int days) {
        used.increment(days);
    }

    void running(int counts) {
        running = counts;
    }
}
