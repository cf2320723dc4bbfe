package dev.ligeiro.gateway.republish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepublishMetricsTest {

    private final TestClock clock = TestClock.frozen();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RepublishMetrics metrics = new RepublishMetrics(meters, clock);

    @Test
    void copiesAreCounted() {
        metrics.republished(500);
        metrics.republished(1);

        assertThat(meters.get("ligeiro.gateway.commands.republished").counter().count())
                .isEqualTo(501);
    }

    @Test
    void theOldestOpenTransactionGrowsOlder() {
        Instant now = clock.instant();
        metrics.open(Progress.NONE.republish(
                List.of(TransactionId.at(now.minusSeconds(10)), TransactionId.at(now.minusSeconds(70))), now));
        clock.move(Duration.ofSeconds(30));

        assertThat(open()).isEqualTo(2);
        assertThat(oldestAgeSeconds()).isEqualTo(100);
    }

    @Test
    void aGatewayWithoutTheLeaseReportsNothing() {
        metrics.open(Progress.NONE.republish(List.of(TransactionId.at(clock.instant())), clock.instant()));
        metrics.standBy();

        assertThat(open()).isZero();
        assertThat(oldestAgeSeconds()).isZero();
    }

    private double open() {
        return meters.get("ligeiro.gateway.republish.open").gauge().value();
    }

    private double oldestAgeSeconds() {
        return meters.get("ligeiro.gateway.republish.open.age").timeGauge().value(TimeUnit.SECONDS);
    }
}
