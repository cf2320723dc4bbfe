/**
 * The merchant's view of transactions, events and deliveries: the same JSON in responses (gateway), in webhooks (webhook-dispatcher) and in
 * bundles. Depends on {@code transaction}, {@code message} and {@code store}.
 */
@NullMarked
package dev.ligeiro.view;

import org.jspecify.annotations.NullMarked;
