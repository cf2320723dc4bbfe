package dev.ligeiro.infra.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyTest {

    @Test
    void tellsPercentilesInMilliseconds() {
        Histogram micros = new Histogram(3);
        for (int millis = 1; millis <= 1_000; millis++) {
            micros.recordValue(millis * 1_000L);
        }

        Latency latency = Latency.of(micros);

        assertThat(latency.count()).isEqualTo(1_000);
        assertThat(latency.p50()).isCloseTo(500, within(1.0));
        assertThat(latency.p90()).isCloseTo(900, within(1.0));
        assertThat(latency.p99()).isCloseTo(990, within(1.0));
        assertThat(latency.p999()).isCloseTo(999, within(1.0));
        assertThat(latency.max()).isCloseTo(1_000, within(1.0));
    }
}
