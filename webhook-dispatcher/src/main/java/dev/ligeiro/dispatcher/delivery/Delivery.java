package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.message.EventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored delivery: one event to one endpoint.
 *
 * @param eventAt the time of the event
 * @param createdAt the time of the first write; the delivery is deleted 30 days later
 * @param nextAttemptAt the time of the next attempt, or the end of the lease while a process holds the delivery; null in a final
 *     status
 * @param claim the random token of the process that holds the delivery, needed to complete it; null if no process holds it
 * @param body the payload; null in a final status
 */
public record Delivery(
        DeliveryId id,
        EventType eventType,
        Instant eventAt,
        Instant createdAt,
        DeliveryStatus status,
        List<Attempt> attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable UUID claim,
        byte @Nullable [] body) {

    /** A new delivery whose first attempt has ended. It keeps the payload only if another attempt is scheduled. */
    public static Delivery attempted(CompletedDispatch completed, DeliveryState state, Instant now) {
        PendingDispatch dispatch = completed.dispatch();
        List<Attempt> attempts = new ArrayList<>(dispatch.attempts());
        attempts.add(completed.attempt());
        byte[] body = state.status() == DeliveryStatus.SCHEDULED ? dispatch.body() : null;
        return of(dispatch, now, state, List.copyOf(attempts), null, body);
    }

    /** A new delivery whose first attempt is running in this process. Other processes may claim it after {@code leaseEnd}. */
    public static Delivery leased(PendingDispatch dispatch, UUID claim, Instant leaseEnd, Instant now) {
        return of(dispatch, now, DeliveryState.scheduled(leaseEnd), dispatch.attempts(), claim, dispatch.body());
    }

    /** A new delivery whose first attempt could not start. It is due at once, for any process. */
    public static Delivery due(PendingDispatch dispatch, Instant now) {
        return of(dispatch, now, DeliveryState.scheduled(now), dispatch.attempts(), null, dispatch.body());
    }

    private static Delivery of(
            PendingDispatch dispatch,
            Instant now,
            DeliveryState state,
            List<Attempt> attempts,
            @Nullable UUID claim,
            byte @Nullable [] body) {
        return new Delivery(
                dispatch.id(),
                dispatch.eventType(),
                dispatch.eventAt(),
                now,
                state.status(),
                attempts,
                state.nextAttemptAt(),
                claim,
                body);
    }
}
