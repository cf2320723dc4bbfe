package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/**
 * Counts and limits the running attempts: in total, per tenant and per endpoint, so that neither a slow endpoint nor a tenant with many
 * of them can use up the limit of all. An endpoint or tenant without a running attempt takes no memory.
 */
@Component
public class InFlight {

    private final int max;
    private final int firstAttemptsMax;
    private final int lanesMax;
    private final int perTenantMax;
    private final int perEndpointMax;
    private final AtomicInteger total = new AtomicInteger();
    private final AtomicInteger ofLanes = new AtomicInteger();
    private final ConcurrentHashMap<Tenant, Integer> perTenant = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Integer> perEndpoint = new ConcurrentHashMap<>();

    InFlight(WebhookProperties properties) {
        this.max = properties.inFlightMax();
        // a quarter is left for first attempts of healthy endpoints, and an eighth for lanes
        this.lanesMax = Math.max(1, max - max / 4);
        this.firstAttemptsMax = max - max / 8;
        this.perTenantMax = properties.inFlightPerTenantMax();
        this.perEndpointMax = properties.inFlightPerEndpointMax();
    }

    /** Acquires a permit for a first attempt, to be given back by {@link #release}; false if a limit is reached. */
    boolean tryAcquire(WebhookEndpoint endpoint) {
        return tryAcquire(endpoint, firstAttemptsMax);
    }

    /**
     * As {@link #tryAcquire}, for an attempt of a lane, to be given back by {@link #releaseOfLane}. Lanes together may use three quarters
     * of the total limit.
     */
    public boolean tryAcquireForLane(WebhookEndpoint endpoint) {
        if (ofLanes.incrementAndGet() <= lanesMax && tryAcquire(endpoint, max)) {
            return true;
        }
        ofLanes.decrementAndGet();
        return false;
    }

    private boolean tryAcquire(WebhookEndpoint endpoint, int totalMax) {
        if (total.incrementAndGet() > totalMax) {
            total.decrementAndGet();
            return false;
        }
        boolean tenantFits = perTenant.merge(endpoint.tenant(), 1, Integer::sum) <= perTenantMax;
        boolean endpointFits = perEndpoint.merge(endpoint.id(), 1, Integer::sum) <= perEndpointMax;
        if (tenantFits && endpointFits) {
            return true;
        }
        release(endpoint);
        return false;
    }

    public void releaseOfLane(WebhookEndpoint endpoint) {
        ofLanes.decrementAndGet();
        release(endpoint);
    }

    void release(WebhookEndpoint endpoint) {
        perTenant.computeIfPresent(endpoint.tenant(), (tenant, count) -> count == 1 ? null : count - 1);
        perEndpoint.computeIfPresent(endpoint.id(), (id, count) -> count == 1 ? null : count - 1);
        total.decrementAndGet();
    }

    /** The number of running attempts. */
    public int total() {
        return total.get();
    }
}
