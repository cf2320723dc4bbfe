package dev.ligeiro.dispatcher.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/**
 * Counts what deliveries become: the final statuses once each, {@code scheduled} each time another attempt is planned. An event
 * that Kafka gives again may count again.
 */
@Component
public class DeliveryMetrics {

    private final Map<DeliveryStatus, Counter> deliveries = new EnumMap<>(DeliveryStatus.class);
    private final Counter lost;

    DeliveryMetrics(MeterRegistry metrics) {
        for (DeliveryStatus status : DeliveryStatus.values()) {
            deliveries.put(
                    status,
                    Counter.builder("ligeiro.webhook.deliveries")
                            .description("Deliveries by what they became")
                            .tag("status", status.code())
                            .register(metrics));
        }
        this.lost = Counter.builder("ligeiro.webhook.leases.lost")
                .description("Attempts that ended after their lease, whose result was not written")
                .register(metrics);
    }

    public void became(DeliveryStatus status) {
        Objects.requireNonNull(deliveries.get(status)).increment();
    }

    public void leasesLost(int count) {
        lost.increment(count);
    }
}
