/**
 * Publishes again what no processor has accepted: the transaction itself is the outbox.
 */
@NullMarked
package dev.ligeiro.gateway.republish;

import org.jspecify.annotations.NullMarked;
