package dev.ligeiro.processor.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconcileMetricsTest {

    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ReconcileMetrics metrics = new ReconcileMetrics(meters);

    @Test
    void eachRailHasASeriesOfEachKindAndTheAgeOfItsOldestBreak() {
        metrics.measured(
                Map.of("bank", NOW.minusSeconds(7_200), "simulator", NOW),
                List.of(
                        new BreakStore.Open("bank", "amount", 2, NOW.minusSeconds(60)),
                        new BreakStore.Open("bank", "twice", 1, NOW.minusSeconds(600))),
                NOW);

        assertThat(meters.find("ligeiro.breaks.open").gauges()).hasSize(8);
        assertThat(value("ligeiro.breaks.open", "rail", "bank", "kind", "amount"))
                .isEqualTo(2);
        assertThat(value("ligeiro.breaks.open", "rail", "bank", "kind", "missing_here"))
                .isZero();
        assertThat(value("ligeiro.breaks.open.oldest", "rail", "bank")).isEqualTo(600);
        assertThat(value("ligeiro.breaks.open.oldest", "rail", "simulator")).isZero();
        assertThat(value("ligeiro.reconciled.age", "rail", "bank")).isEqualTo(7_200);

        metrics.unknown();
        assertThat(meters.find("ligeiro.breaks.open").gauges()).isEmpty();
        assertThat(meters.find("ligeiro.reconciled.age").gauges()).isEmpty();
    }

    private double value(String name, String... tags) {
        Gauge gauge = meters.find(name).tags(tags).gauge();
        return gauge == null ? Double.NaN : gauge.value();
    }
}
