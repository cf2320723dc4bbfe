package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/**
 * Counts and limits the running attempts, in total and per endpoint, so that a slow endpoint cannot use up the limit of all. An
 * endpoint without a running attempt takes no memory.
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

    /** Acquires a permit for one attempt, to be given back by {@link #release}; false if a limit is reached. */
    boolean tryAcquire(UUID endpointId) {
        if (total.incrementAndGet() > max) {
            total.decrementAndGet();
            return false;
        }
        if (perEndpoint.merge(endpointId, 1, Integer::sum) > perEndpointMax) {
            release(endpointId);
            return false;
        }
        return true;
    }

    void release(UUID endpointId) {
        perEndpoint.computeIfPresent(endpointId, (id, count) -> count == 1 ? null : count - 1);
        total.decrementAndGet();
    }

    /** Whether {@code endpointId} has reached its limit. */
    public boolean isFull(UUID endpointId) {
        return perEndpoint.getOrDefault(endpointId, 0) >= perEndpointMax;
    }

    /** The number of attempts that the total limit still allows. */
    public int available() {
        return Math.max(0, max - total.get());
    }

    /** The number of running attempts. */
    public int total() {
        return total.get();
    }
}
