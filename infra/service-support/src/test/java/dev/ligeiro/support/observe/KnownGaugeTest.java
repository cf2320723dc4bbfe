package dev.ligeiro.support.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownGaugeTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KnownGauge lag = new KnownGauge(meters, "lag", "How late", "seconds");

    @Test
    void itIsAbsentWhileItIsUnknown() {
        lag.known(3);
        lag.unknown();
        assertThat(series()).isEmpty();

        lag.known(2);
        assertThat(series()).containsExactly("[] 2.0 seconds");
    }

    @Test
    void eachSeriesIsKnownOrAbsent() {
        lag.known(Map.of(Tags.of("group", "one"), 1.0, Tags.of("group", "other"), 2.0));
        lag.known(Map.of(Tags.of("group", "other"), 7.0));

        assertThat(series()).containsExactly("[tag(group=other)] 7.0 seconds");
    }

    private List<String> series() {
        return meters.find("lag").gauges().stream()
                .map(gauge -> gauge.getId().getTags() + " " + gauge.value() + " "
                        + gauge.getId().getBaseUnit())
                .toList();
    }
}
