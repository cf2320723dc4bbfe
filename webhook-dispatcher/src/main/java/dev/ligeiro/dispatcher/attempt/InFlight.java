package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Counts and limits the running attempts: in total, per tenant and per endpoint, so that neither a slow endpoint nor a tenant with many
 * of them can use up the limit of all. An endpoint or tenant without a running attempt takes no memory.
 */
@Component
public class InFlight {

    private static final Logger LOG = LoggerFactory.getLogger(InFlight.class);

    private final int max;
    private final int firstAttemptsMax;
    private final int lanesMax;
    private final int perTenantMax;
    private final int perEndpointMax;
    private final AtomicInteger total = new AtomicInteger();
    private final AtomicInteger firstAttempts = new AtomicInteger();
    private final AtomicInteger ofLanes = new AtomicInteger();
    private final ConcurrentHashMap<Tenant, Integer> perTenant = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Integer> perEndpoint = new ConcurrentHashMap<>();

    InFlight(WebhookProperties properties) {
        this.max = properties.attemptsMax();
        // so a quarter of the total is always free for first attempts, and an eighth for attempts of lanes
        this.lanesMax = Math.max(1, max - max / 4);
        this.firstAttemptsMax = max - max / 8;
        this.perTenantMax = properties.attemptsPerTenantMax();
        this.perEndpointMax = properties.inFlightPerEndpointMax();
        if (max < properties.inFlightMax()) {
            LOG.atInfo()
                    .addKeyValue("event.action", "attempts_limited")
                    .addKeyValue("in_flight_max", max)
                    .addKeyValue("in_flight_per_tenant_max", perTenantMax)
                    .log("The heap allows fewer attempts at once than the settings");
        }
    }

    /**
     * Acquires a permit for a first attempt, to be given back by {@link #release}; false if a limit is reached. First attempts together may
     * use seven eighths of the total limit.
     */
    boolean tryAcquire(WebhookEndpoint endpoint) {
        return tryAcquire(endpoint, firstAttempts, firstAttemptsMax);
    }

    /**
     * As {@link #tryAcquire}, for an attempt of a lane, to be given back by {@link #releaseOfLane}. Lanes together may use three quarters
     * of the total limit.
     */
    public boolean tryAcquireForLane(WebhookEndpoint endpoint) {
        return tryAcquire(endpoint, ofLanes, lanesMax);
    }

    private boolean tryAcquire(WebhookEndpoint endpoint, AtomicInteger ofKind, int ofKindMax) {
        boolean kindFits = ofKind.incrementAndGet() <= ofKindMax;
        boolean totalFits = total.incrementAndGet() <= max;
        boolean tenantFits = perTenant.merge(endpoint.tenant(), 1, Integer::sum) <= perTenantMax;
        boolean endpointFits = perEndpoint.merge(endpoint.id(), 1, Integer::sum) <= perEndpointMax;
        if (kindFits && totalFits && tenantFits && endpointFits) {
            return true;
        }
        release(endpoint, ofKind);
        return false;
    }

    void release(WebhookEndpoint endpoint) {
        release(endpoint, firstAttempts);
    }

    public void releaseOfLane(WebhookEndpoint endpoint) {
        release(endpoint, ofLanes);
    }

    private void release(WebhookEndpoint endpoint, AtomicInteger ofKind) {
        perTenant.computeIfPresent(endpoint.tenant(), (tenant, count) -> count == 1 ? null : count - 1);
        perEndpoint.computeIfPresent(endpoint.id(), (id, count) -> count == 1 ? null : count - 1);
        total.decrementAndGet();
        ofKind.decrementAndGet();
    }

    /** The number of running attempts. */
    public int total() {
        return total.get();
    }

    /** The number of running attempts to the endpoints of {@code tenant}. */
    public int of(Tenant tenant) {
        return perTenant.getOrDefault(tenant, 0);
    }
}
