package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the intake tells a lane after it has stored deliveries.
 *
 * @param dueAt the earliest time of an attempt
 * @param failures the failed first attempts, weighted
 * @param slowUntil the time until which the endpoint counts as slow; null if it was not slow
 */
public record LaneMark(UUID endpointId, Tenant tenant, Instant dueAt, int failures, @Nullable Instant slowUntil) {

    /** Both marks of one lane in one. */
    public LaneMark and(LaneMark other) {
        return new LaneMark(
                endpointId,
                tenant,
                dueAt.isBefore(other.dueAt) ? dueAt : other.dueAt,
                failures + other.failures,
                slowUntil == null ? other.slowUntil : slowUntil);
    }
}
