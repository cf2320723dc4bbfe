package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.Delivery;
import java.time.Instant;

/**
 * The result of an attempt of a stored delivery.
 *
 * @param delivery the delivery in its next state, with only its last attempt: the earlier ones stay as they are stored
 * @param storedFor the time of the next attempt as it was read. If it has changed since, another process has completed an attempt, or
 *     the merchant has asked for a new one, and nothing is written
 */
public record DeliveryUpdate(Delivery delivery, Instant storedFor) {}
