package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/**
 * Counts the attempts under way, in all and per endpoint, and allows only so many: a slow endpoint takes up its own share and no
 * other's. An endpoint with nothing under way takes no memory.
 */
@Component
public class InFlight {

    private final int max;
    private final int perEndpointMax;
    private final AtomicInteger total = new AtomicInteger();
    private final ConcurrentHashMap<UUID, Integer> perEndpoint = new ConcurrentHashMap<>();

    InFlight(WebhookProperties properties) {
        this.max = properties.inFlightMax();
        this.perEndpointMax = properties.inFlightPerEndpointMax();
    }

    /** Takes room for one attempt, which {@link #end} gives back, or says that there is none. */
    boolean tryStart(UUID endpointId) {
        if (total.incrementAndGet() > max) {
            total.decrementAndGet();
            return false;
        }
        if (perEndpoint.merge(endpointId, 1, Integer::sum) > perEndpointMax) {
            end(endpointId);
            return false;
        }
        return true;
    }

    void end(UUID endpointId) {
        perEndpoint.computeIfPresent(endpointId, (id, count) -> count == 1 ? null : count - 1);
        total.decrementAndGet();
    }

    /** Whether {@code endpointId} has no room left. */
    public boolean full(UUID endpointId) {
        return perEndpoint.getOrDefault(endpointId, 0) >= perEndpointMax;
    }

    /** How many more attempts there is room for in all. */
    public int room() {
        return Math.max(0, max - total.get());
    }

    /** How many are under way. */
    public int total() {
        return total.get();
    }
}
