package dev.ligeiro.gateway.republish;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Counts the copies, the open and the undecodable transactions of the sweeper. A gateway without the lease reports no open transaction. */
@Component
class RepublishMetrics {

    private final Clock clock;
    private final Counter republished;
    private final Counter undecodable;
    private volatile Progress progress = Progress.NONE;

    RepublishMetrics(MeterRegistry registry, Clock clock) {
        this.clock = clock;
        this.republished = Counter.builder("ligeiro.gateway.commands.republished")
                .description("Commands published again because no processor had accepted the transaction")
                .baseUnit("commands")
                .register(registry);
        this.undecodable = Counter.builder("ligeiro.gateway.republish.undecodable")
                .description("Unaccepted transactions that could not be decoded, counted at each try")
                .baseUnit("transactions")
                .register(registry);
        Gauge.builder("ligeiro.gateway.republish.open", () -> progress.open().size())
                .description("Republished or undecodable transactions that no processor has accepted yet")
                .baseUnit("transactions")
                .register(registry);
        TimeGauge.builder("ligeiro.gateway.republish.open.age", this::oldestAgeMillis, TimeUnit.MILLISECONDS)
                .description("Age of the oldest of them; 0 when there is none")
                .register(registry);
    }

    void republished(int commands) {
        republished.increment(commands);
    }

    void undecodable() {
        undecodable.increment();
    }

    void open(Progress current) {
        progress = current;
    }

    /** Another gateway has the lease. */
    void standBy() {
        progress = Progress.NONE;
    }

    private long oldestAgeMillis() {
        return progress.oldestCreatedAt()
                .map(createdAt -> Duration.between(createdAt, clock.instant()).toMillis())
                .orElse(0L);
    }
}
