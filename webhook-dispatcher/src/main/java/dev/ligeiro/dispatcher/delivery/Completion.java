package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.DeliveryId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An update of a delivery that this process holds. Writing it also releases the delivery.
 *
 * @param claim the claim of this process; if another process has claimed the delivery since, nothing is written
 * @param attempt the attempt to add; null if none was made
 * @param state the new state
 */
public record Completion(DeliveryId id, UUID claim, @Nullable Attempt attempt, DeliveryState state) {}
