/**
 * The merchant's view of a transaction: the same JSON in responses (gateway) and in webhooks (webhook-dispatcher). Depends on
 * {@code transaction}.
 */
@NullMarked
package dev.ligeiro.view;

import org.jspecify.annotations.NullMarked;
