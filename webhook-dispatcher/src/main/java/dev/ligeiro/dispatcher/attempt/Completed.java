package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Dispatch} after its attempt.
 *
 * @param retryAfter the waiting time that the merchant asked for, at most 24 hours; null if it asked for none
 */
public record Completed(Dispatch dispatch, Attempt attempt, @Nullable Duration retryAfter) {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    public AttemptOutcome outcome() {
        return attempt.outcome();
    }

    /**
     * How long the endpoint wants no attempt of any delivery: the {@code Retry-After} of a 429 or a 503 (RFC 9110 §15.6.4, RFC 6585 §4). Null
     * without one.
     */
    public @Nullable Duration pause() {
        Integer status = attempt.statusCode();
        boolean isBusy = status != null && (status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE);
        return isBusy && retryAfter != null && !retryAfter.isZero() ? retryAfter : null;
    }

    Completed withoutResponse() {
        Attempt other = new Attempt(attempt.at(), attempt.outcome(), attempt.statusCode(), attempt.duration());
        return new Completed(dispatch, other, retryAfter);
    }

    /**
     * The same, after the delivery was stored with its next attempt at {@code at}. It has no payload: while MongoDB is slow, thousands of
     * results may wait to be written.
     */
    public Completed stored(Instant at) {
        return new Completed(dispatch.stored(at), attempt, retryAfter);
    }
}
