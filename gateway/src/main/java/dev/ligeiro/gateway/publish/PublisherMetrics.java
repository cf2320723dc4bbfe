package dev.ligeiro.gateway.publish;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts the commands of new transactions: those that Kafka has acknowledged, and those left to the sweeper. */
@Component
class PublisherMetrics {

    private final Counter published;
    private final Counter leftToSweeper;

    PublisherMetrics(MeterRegistry registry) {
        this.published = Counter.builder("ligeiro.gateway.commands.published")
                .description("Commands that Kafka has acknowledged")
                .baseUnit("commands")
                .register(registry);
        this.leftToSweeper = Counter.builder("ligeiro.gateway.commands.left.to.sweeper")
                .description("Commands that Kafka did not take and the sweeper publishes again")
                .baseUnit("commands")
                .register(registry);
    }

    void published() {
        published.increment();
    }

    void leftToSweeper(int commands) {
        leftToSweeper.increment(commands);
    }
}
