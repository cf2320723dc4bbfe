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
 * @param pausedUntil the time before which the endpoint wants no attempt; null if it asked for no pause
 */
public record LaneMark(
        UUID endpointId,
        Tenant tenant,
        Instant dueAt,
        int failures,
        @Nullable Instant slowUntil,
        @Nullable Instant pausedUntil) {

    /** Only tells that a delivery is due at {@code at}. */
    static LaneMark due(UUID endpointId, Tenant tenant, Instant at) {
        return new LaneMark(endpointId, tenant, at, 0, null, null);
    }

    /** Both marks of one lane in one. */
    public LaneMark and(LaneMark other) {
        return new LaneMark(
                endpointId,
                tenant,
                dueAt.isBefore(other.dueAt) ? dueAt : other.dueAt,
                failures + other.failures,
                later(slowUntil, other.slowUntil),
                later(pausedUntil, other.pausedUntil));
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isAfter(other) ? one : other;
    }
}
