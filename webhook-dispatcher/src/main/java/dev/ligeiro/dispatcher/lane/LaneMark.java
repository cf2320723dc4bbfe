package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Marks a lane due, after deliveries were stored, and tells it about their first attempts.
 *
 * @param dueAt the earliest time of an attempt
 * @param failures the failed first attempts since the last success, weighted
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

    /** Tells that a delivery is stored and due at {@code at}. */
    public static LaneMark due(WebhookEndpoint endpoint, Instant at) {
        return due(endpoint.id(), endpoint.tenant(), at);
    }

    static LaneMark due(UUID endpointId, Tenant tenant, Instant at) {
        return new LaneMark(endpointId, tenant, at, 0, null, null);
    }

    /**
     * Tells that a first attempt has failed and that the stored delivery is due at {@code at}. After a 410 the lane is due at once: its
     * endpoint is being disabled, and then its deliveries are canceled.
     */
    public static LaneMark failed(Completed completed, Instant at, Instant now) {
        WebhookEndpoint endpoint = completed.dispatch().endpoint();
        Duration pause = completed.pause();
        return new LaneMark(
                endpoint.id(),
                endpoint.tenant(),
                completed.outcome() == AttemptOutcome.GONE ? now : at,
                Breaker.weight(completed.outcome()),
                null,
                pause == null ? null : now.plus(pause));
    }

    /** Tells besides that the endpoint is too slow for the intake until {@code until}. */
    public LaneMark slow(Instant until) {
        return new LaneMark(endpointId, tenant, dueAt, failures, until, pausedUntil);
    }

    /** After a success. */
    public LaneMark withoutFailures() {
        return new LaneMark(endpointId, tenant, dueAt, 0, slowUntil, pausedUntil);
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
