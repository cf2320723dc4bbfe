package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.message.EventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event to one endpoint, as it is stored.
 *
 * @param eventAt when the event happened
 * @param createdAt when it was first stored: it is kept for 30 days from then
 * @param nextAttemptAt when it is due; while a process holds it, when its lease ends; null once it is finished
 * @param claim of the process that holds it: only who knows it may complete the delivery; null when nobody does
 * @param body the payload; null once it is finished
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

    /** A first attempt that has ended, with its verdict: a finished one carries no payload. */
    public static Delivery attempted(CompletedDispatch completed, Verdict verdict, Instant now) {
        PendingDispatch dispatch = completed.dispatch();
        List<Attempt> attempts = new ArrayList<>(dispatch.attempts());
        attempts.add(completed.attempt());
        byte[] body = verdict.status() == DeliveryStatus.SCHEDULED ? dispatch.body() : null;
        return of(dispatch, now, verdict, List.copyOf(attempts), null, body);
    }

    /** One whose attempt is under way in this process until {@code leaseEnd} at the latest. */
    public static Delivery leased(PendingDispatch dispatch, UUID claim, Instant leaseEnd, Instant now) {
        return of(dispatch, now, Verdict.scheduled(leaseEnd), dispatch.attempts(), claim, dispatch.body());
    }

    /** One whose attempt could not begin: due at once, for whoever has room. */
    public static Delivery due(PendingDispatch dispatch, Instant now) {
        return of(dispatch, now, Verdict.scheduled(now), dispatch.attempts(), null, dispatch.body());
    }

    private static Delivery of(
            PendingDispatch dispatch,
            Instant now,
            Verdict verdict,
            List<Attempt> attempts,
            @Nullable UUID claim,
            byte @Nullable [] body) {
        return new Delivery(
                dispatch.id(),
                dispatch.eventType(),
                dispatch.eventAt(),
                now,
                verdict.status(),
                attempts,
                verdict.nextAttemptAt(),
                claim,
                body);
    }
}
