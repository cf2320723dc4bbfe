package dev.ligeiro.gateway.publish.republish;

import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Counts the copies and the undecodable transactions of the sweeper. Only the gateway with the lease reports what is open. */
@Component
class RepublishMetrics {

    private static final double MILLIS_PER_SECOND = 1_000;

    private final Counter republished;
    private final Counter undecodable;
    private final KnownGauge open;
    private final KnownGauge oldestUnaccepted;

    RepublishMetrics(MeterRegistry registry) {
        this.republished = Counter.builder("ligeiro.gateway.commands.republished")
                .description("Commands published again because no processor had accepted the transaction")
                .baseUnit("commands")
                .register(registry);
        this.undecodable = Counter.builder("ligeiro.gateway.republish.undecodable")
                .description("Unaccepted transactions that could not be decoded, counted at each try")
                .baseUnit("transactions")
                .register(registry);
        this.open = new KnownGauge(
                registry,
                "ligeiro.gateway.republish.open",
                "Republished or undecodable transactions that no processor has accepted yet, counted up to 10,000",
                "transactions");
        this.oldestUnaccepted = new KnownGauge(
                registry,
                "ligeiro.gateway.unaccepted.oldest",
                "Age of the oldest transaction that no processor has accepted, 0 if there is none",
                "seconds");
    }

    void republished(int commands) {
        republished.increment(commands);
    }

    void undecodable() {
        undecodable.increment();
    }

    void measured(long republishedOnes, Duration oldestAge) {
        open.known(republishedOnes);
        oldestUnaccepted.known(oldestAge.toMillis() / MILLIS_PER_SECOND);
    }

    void standBy() {
        open.unknown();
        oldestUnaccepted.unknown();
    }
}
