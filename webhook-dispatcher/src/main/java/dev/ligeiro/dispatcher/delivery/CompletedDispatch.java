package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.webhook.Attempt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link PendingDispatch} after its attempt. The schedule decides the next state of the delivery. */
public sealed interface CompletedDispatch {

    PendingDispatch dispatch();

    Attempt attempt();

    /** The merchant responded with 2xx. */
    record Successful(PendingDispatch dispatch, Attempt attempt) implements CompletedDispatch {}

    /** @param retryAfter the waiting time that the merchant asked for; null if it asked for none */
    record Failed(PendingDispatch dispatch, Attempt attempt, @Nullable Duration retryAfter)
            implements CompletedDispatch {}
}
