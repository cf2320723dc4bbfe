package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.DeliveryStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/**
 * Counts deliveries by status: a final status once, {@code scheduled} once for each further attempt. A redelivered Kafka record may
 * be counted again.
 */
@Component
public class DeliveryMetrics {

    private final Map<DeliveryStatus, Counter> deliveries = new EnumMap<>(DeliveryStatus.class);
    private final Counter lost;
    private final Counter unreadable;

    public DeliveryMetrics(MeterRegistry metrics) {
        for (DeliveryStatus status : DeliveryStatus.values()) {
            deliveries.put(
                    status,
                    Counter.builder("ligeiro.webhook.deliveries")
                            .description("Deliveries by the status they entered")
                            .tag("status", status.code())
                            .register(metrics));
        }
        this.lost = Counter.builder("ligeiro.webhook.leases.lost")
                .description("Lanes that another process has claimed, and results that it made obsolete")
                .register(metrics);
        this.unreadable = Counter.builder("ligeiro.webhook.deliveries.unreadable")
                .description("Reads of stored deliveries that cannot be decoded")
                .register(metrics);
    }

    public void count(DeliveryStatus status) {
        Objects.requireNonNull(deliveries.get(status)).increment();
    }

    public void count(DeliveryStatus status, long number) {
        Objects.requireNonNull(deliveries.get(status)).increment(number);
    }

    public void countUnreadable() {
        unreadable.increment();
    }

    public void countLostLeases(int count) {
        lost.increment(count);
    }
}
