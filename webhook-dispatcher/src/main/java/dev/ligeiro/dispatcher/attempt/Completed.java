package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.schedule.DeliveryState;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Dispatch} after its attempt.
 *
 * @param retryAfter the waiting time that the merchant asked for; null if it asked for none
 */
public record Completed(Dispatch dispatch, Attempt attempt, @Nullable Duration retryAfter) {

    public AttemptOutcome outcome() {
        return attempt.outcome();
    }

    /** The delivery with this attempt, in {@code state}. It keeps the payload only while another attempt is scheduled. */
    Delivery delivery(DeliveryState state, Instant now) {
        List<Attempt> attempts = new ArrayList<>(dispatch.attempts());
        attempts.add(attempt);
        return state.status() == DeliveryStatus.SCHEDULED
                ? new Delivery(
                        dispatch.id(),
                        dispatch.eventType(),
                        dispatch.eventAt(),
                        state.status(),
                        attempts,
                        state.nextAttemptAt(),
                        null,
                        dispatch.body(),
                        dispatch.origin())
                : Delivery.ended(
                        dispatch.id(), dispatch.eventType(), dispatch.eventAt(), state.status(), attempts, now);
    }
}
