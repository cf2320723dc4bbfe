/**
 * The merchant's view of transactions and events: the same JSON in responses (gateway) and in webhooks (webhook-dispatcher). Depends on
 * {@code transaction} and {@code message}.
 */
@NullMarked
package dev.ligeiro.view;

import org.jspecify.annotations.NullMarked;
