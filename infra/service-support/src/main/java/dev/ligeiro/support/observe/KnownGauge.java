package dev.ligeiro.support.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measured number that exists as a metric only while it is known. An alert on a wrong 0 would stay silent, and an autoscaler would
 * remove instances. Micrometer's {@code MultiGauge} does not serve: while it replaces its series, a scrape fails because it meets some
 * of them twice.
 */
public final class KnownGauge {

    private final MeterRegistry meters;
    private final String name;
    private final String description;
    private final @Nullable String unit;
    private final Map<Tags, Series> series = new HashMap<>();

    /** @param unit the last part of the name in Prometheus, such as {@code seconds}; null for none */
    public KnownGauge(MeterRegistry meters, String name, String description, @Nullable String unit) {
        this.meters = meters;
        this.name = name;
        this.description = description;
        this.unit = unit;
    }

    public void known(double value) {
        known(Map.of(Tags.empty(), value));
    }

    /** Replaces all series: those without a value are removed. */
    public synchronized void known(Map<Tags, Double> values) {
        List.copyOf(series.keySet()).stream()
                .filter(tags -> !values.containsKey(tags))
                .forEach(tags -> series.remove(tags).remove());
        values.forEach((tags, value) -> series.computeIfAbsent(tags, Series::new).value = value);
    }

    public void unknown() {
        known(Map.of());
    }

    /** The value of one combination of tags. */
    private final class Series {

        private final Gauge gauge;
        private volatile double value;

        Series(Tags tags) {
            this.gauge = Gauge.builder(name, this, self -> self.value)
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags)
                    .register(meters);
        }

        void remove() {
            meters.remove(gauge);
        }
    }
}
