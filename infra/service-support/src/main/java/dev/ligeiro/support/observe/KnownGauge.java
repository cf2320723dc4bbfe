package dev.ligeiro.support.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measured number that exists as a metric only while it is known. An alert on a wrong 0 would stay silent, and an autoscaler would
 * remove instances.
 */
public final class KnownGauge {

    private final MultiGauge gauge;

    /** @param unit the last part of the name in Prometheus, such as {@code seconds}; null for none */
    public KnownGauge(MeterRegistry meters, String name, String description, @Nullable String unit) {
        this.gauge =
                MultiGauge.builder(name).description(description).baseUnit(unit).register(meters);
    }

    public void known(double value) {
        known(Map.of(Tags.empty(), value));
    }

    /** Replaces all series: those without a value are removed. */
    public void known(Map<Tags, Double> values) {
        List<MultiGauge.Row<?>> rows = values.entrySet().stream()
                .<MultiGauge.Row<?>>map(each -> MultiGauge.Row.of(each.getKey(), each.getValue()))
                .toList();
        gauge.register(rows, true);
    }

    public void unknown() {
        known(Map.of());
    }
}
