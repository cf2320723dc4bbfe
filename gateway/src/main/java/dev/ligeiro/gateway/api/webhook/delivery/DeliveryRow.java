package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.webhook.DeliveryId;
import org.jspecify.annotations.Nullable;

/**
 * A stored delivery at its place in the list.
 *
 * @param delivery null if its document cannot be decoded
 */
public record DeliveryRow(DeliveryId id, @Nullable StoredDelivery delivery) {}
