package dev.ligeiro.dispatcher.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link PendingDispatch} after its attempt. What follows is the schedule's to say. */
public sealed interface CompletedDispatch {

    PendingDispatch dispatch();

    Attempt attempt();

    /** The merchant has it. */
    record Successful(PendingDispatch dispatch, Attempt attempt) implements CompletedDispatch {}

    /** @param retryAfter how long the merchant wants to be left alone; null when it did not say */
    record Failed(PendingDispatch dispatch, Attempt attempt, @Nullable Duration retryAfter)
            implements CompletedDispatch {}
}
