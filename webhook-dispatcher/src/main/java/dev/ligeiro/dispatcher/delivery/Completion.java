package dev.ligeiro.dispatcher.delivery;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is written of a delivery that this process holds; it gives the delivery back.
 *
 * @param claim the one the delivery was taken with: when it has changed, nothing is written
 * @param attempt null when none was made
 */
public record Completion(DeliveryId id, UUID claim, @Nullable Attempt attempt, Verdict verdict) {}
