package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outstanding deliveries of one endpoint, as the unit of work that one dispatcher claims. An endpoint without scheduled deliveries
 * and without recent failures has none.
 *
 * @param dueAt when a dispatcher must look at the endpoint's deliveries, at the latest
 * @param lease the dispatcher that works on it; null without one. The lease may have ended
 * @param slowUntil before this time no first attempt is made from memory, because too many of those of a batch took longer than the intake
 *     waits; null if the endpoint was not slow
 * @param marks how often the lane was marked due. A dispatcher releases or deletes a lane only if the number is the one it read before
 *     it looked for deliveries: otherwise it could miss one that was stored meanwhile
 */
public record Lane(
        UUID endpointId,
        Tenant tenant,
        Instant dueAt,
        @Nullable Lease lease,
        Health health,
        @Nullable Instant slowUntil,
        long marks) {

    public Lane with(Health changed) {
        return new Lane(endpointId, tenant, dueAt, lease, changed, slowUntil, marks);
    }

    /**
     * The right of one dispatcher to work on the lane.
     *
     * @param claim a random token, which every later write by this dispatcher to the lane checks
     * @param until the end, unless renewed; then another dispatcher may claim the lane
     */
    public record Lease(UUID claim, Instant until) {}

    /**
     * How the endpoint has answered lately.
     *
     * @param failures the failed attempts since the last success; a time-out counts as five
     * @param openings how often its circuit breaker has opened since the last success
     * @param openUntil no attempt is made before this time, then one at a time; null while the breaker is closed
     * @param failingSince the time of the first failure since the last success; null without a failure
     */
    public record Health(int failures, int openings, @Nullable Instant openUntil, @Nullable Instant failingSince) {

        /** No failure since the last success. */
        public static final Health GOOD = new Health(0, 0, null, null);
    }
}
