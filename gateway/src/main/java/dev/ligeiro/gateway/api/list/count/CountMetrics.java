package dev.ligeiro.gateway.api.list.count;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows how much of what lists need is counted anew, and how many counts go on in the background. */
class CountMetrics {

    private final Counter counted;
    private final Counter used;
    private volatile int running;

    CountMetrics(MeterRegistry registry) {
        this.counted = Counter.builder("ligeiro.gateway.list.counted")
                .description("Slices of time whose matches were counted for a list")
                .baseUnit("slices")
                .register(registry);
        this.used = Counter.builder("ligeiro.gateway.list.kept.used")
                .description("Kept counts of whole days that were valid")
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
