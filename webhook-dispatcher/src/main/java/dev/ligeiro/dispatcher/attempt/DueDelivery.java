package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;

/**
 * A due delivery as its lane keeps it, which takes a few hundred bytes: thousands wait in memory, so it has neither a payload nor the
 * earlier attempts.
 *
 * @param attemptsMade the number of earlier attempts
 * @param nextAttemptAt the time of the next attempt as it was read
 */
public record DueDelivery(
        DeliveryId id, String eventType, Instant eventAt, int attemptsMade, Instant nextAttemptAt, Origin origin) {}
