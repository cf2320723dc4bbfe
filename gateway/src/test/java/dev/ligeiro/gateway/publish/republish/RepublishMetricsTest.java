package dev.ligeiro.gateway.publish.republish;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RepublishMetricsTest {

    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RepublishMetrics metrics = new RepublishMetrics(meters);

    @Test
    void copiesAreCounted() {
        metrics.republished(500);
        metrics.republished(1);

        assertThat(meters.get("ligeiro.gateway.commands.republished").counter().count())
                .isEqualTo(501);
    }

    @Test
    void theGatewayWithTheLeaseReportsWhatIsOpen() {
        metrics.measured(2, Duration.ofMillis(70_500));

        assertThat(value("ligeiro.gateway.republish.open")).isEqualTo(2);
        assertThat(value("ligeiro.gateway.unaccepted.oldest")).isEqualTo(70.5);
    }

    @Test
    void aGatewayWithoutTheLeaseReportsNothing() {
        metrics.measured(0, Duration.ZERO);
        metrics.standBy();

        assertThat(meters.find("ligeiro.gateway.republish.open").gauge()).isNull();
        assertThat(meters.find("ligeiro.gateway.unaccepted.oldest").gauge()).isNull();
    }

    private double value(String name) {
        return meters.get(name).gauge().value();
    }
}
